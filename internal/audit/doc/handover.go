package doc

import (
	"sync"

	"example.org/refract/internal/audit/tree"
)

// A Handover passes the documents that an audit has read to an audit of another state of the tree, in which
// most documents are the same. It keeps them until Finish is called, and gives each once after that. The
// zero Handover is empty.
type Handover struct {
	mu       sync.Mutex
	kept     map[tree.Sum]Content
	isHanded bool
}

// Finish says that the first audit has ended.
func (c *Handover) Finish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.isHanded = true
}

// Get returns the content of a document with a sum, and whether c has it. It then removes it.
func (c *Handover) Get(s tree.Sum) (Content, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	content, ok := c.kept[s]
	if c.isHanded {
		delete(c.kept, s)
	}
	return content, ok
}

// Put adds the content of a document that the first audit has read.
func (c *Handover) Put(s tree.Sum, what Content) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isHanded {
		return
	}
	if c.kept == nil {
		c.kept = map[tree.Sum]Content{}
	}
	c.kept[s] = what
}
