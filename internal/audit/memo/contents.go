package memo

import (
	"sync"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/tree"
)

// Contents hand what an audit has read of documents on to an audit of another state of the tree, in which most documents are the
// same. They keep what the first one reads until Finish is called, and give each once after that. The zero Contents are empty.
type Contents struct {
	mu       sync.Mutex
	kept     map[tree.Sum]doc.Content
	isHanded bool
}

// Finish says that the first audit has ended.
func (c *Contents) Finish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.isHanded = true
}

// Get returns what was read of a document with a sum, and whether c has that; then it has it no longer.
func (c *Contents) Get(s tree.Sum) (doc.Content, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	content, ok := c.kept[s]
	if c.isHanded {
		delete(c.kept, s)
	}
	return content, ok
}

// Put adds what the first audit has read of a document.
func (c *Contents) Put(s tree.Sum, what doc.Content) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isHanded {
		return
	}
	if c.kept == nil {
		c.kept = map[tree.Sum]doc.Content{}
	}
	c.kept[s] = what
}
