package tree

import (
	"bytes"
	"io"
	"io/fs"
	"strings"
	"sync"
)

// Held is a Tree that asks another one once: for the existence of files, listings of directories, and the
// text of files, as far as there is room. Several audits of one tree then read its files once, and see the
// same state of it.
type Held struct {
	Tree
	mu      sync.Mutex
	infos   map[infoKey]reply[fs.FileInfo]
	lists   map[string]reply[[]fs.DirEntry]
	names   map[nameKey]reply[string]
	texts   map[string]*heldText
	firsts  map[*byte]bool // the first bytes of texts
	left    int            // bytes that may still be held
	derived map[derivedKey]any
}

type (
	infoKey struct {
		name     string
		isOfLink bool // by Lstat
	}
	nameKey struct {
		name   string
		isLink bool // by ReadLink
	}
	reply[T any] struct {
		value T
		err   error
	}
	heldText struct {
		text []byte
		info fs.FileInfo
	}
	derivedKey struct {
		text *byte
		size int
		key  any
	}
)

const (
	maxHeld     = 32 << 20 // bytes of all texts
	maxHeldText = 4 << 20  // bytes of one
)

// Hold returns a Held of t.
func Hold(t Tree) *Held {
	return &Held{
		Tree: t, infos: map[infoKey]reply[fs.FileInfo]{}, lists: map[string]reply[[]fs.DirEntry]{}, names: map[nameKey]reply[string]{},
		texts: map[string]*heldText{}, firsts: map[*byte]bool{}, left: maxHeld, derived: map[derivedKey]any{},
	}
}

// once returns what ask returned when it was first called for a key.
func once[K comparable, T any](h *Held, known map[K]reply[T], key K, ask func() (T, error)) (T, error) {
	h.mu.Lock()
	r, ok := known[key]
	h.mu.Unlock()
	if ok {
		return r.value, r.err
	}
	value, err := ask()
	h.mu.Lock()
	defer h.mu.Unlock()
	if r, ok := known[key]; ok {
		return r.value, r.err
	}
	known[key] = reply[T]{value, err}
	return value, err
}

// Stat implements [Tree].
func (h *Held) Stat(name string) (fs.FileInfo, error) {
	return once(h, h.infos, infoKey{name, false}, func() (fs.FileInfo, error) { return h.Tree.Stat(name) })
}

// Lstat implements [Tree].
func (h *Held) Lstat(name string) (fs.FileInfo, error) {
	return once(h, h.infos, infoKey{name, true}, func() (fs.FileInfo, error) { return h.Tree.Lstat(name) })
}

// ReadDir implements [Tree]. The caller must not change the list.
func (h *Held) ReadDir(name string) ([]fs.DirEntry, error) {
	key := name
	if len(name) > len("/") {
		key = strings.TrimSuffix(name, "/")
	}
	return once(h, h.lists, key, func() ([]fs.DirEntry, error) { return h.Tree.ReadDir(name) })
}

// Real implements [Tree].
func (h *Held) Real(name string) (string, error) {
	return once(h, h.names, nameKey{name, false}, func() (string, error) { return h.Tree.Real(name) })
}

// ReadLink returns the target of a symbolic link as written.
func (h *Held) ReadLink(name string) (string, error) {
	return once(h, h.names, nameKey{name, true}, func() (string, error) { return ReadLink(h.Tree, name) })
}

// Open implements [Tree]. The files that it holds have a method Bytes, which returns their text.
func (h *Held) Open(name string) (fs.File, error) {
	h.mu.Lock()
	known := h.texts[name]
	h.mu.Unlock()
	if known != nil {
		return known.open(), nil
	}
	f, err := h.Tree.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || !h.hasRoom(info.Size()) {
		return f, nil
	}
	defer f.Close()
	text := make([]byte, info.Size()+1) // one more, to see the end
	n, err := io.ReadFull(f, text)
	if err != io.ErrUnexpectedEOF && err != io.EOF || n == 0 {
		return h.Tree.Open(name) // it grows, is empty, or cannot be read
	}
	return h.keep(name, &heldText{text[:n:n], info}).open(), nil
}

// hasRoom reports whether a text of a size may be held.
func (h *Held) hasRoom(size int64) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return size <= maxHeldText && size <= int64(h.left)
}

// keep keeps a text, or returns the one that is kept.
func (h *Held) keep(name string, t *heldText) *heldText {
	h.mu.Lock()
	defer h.mu.Unlock()
	if before := h.texts[name]; before != nil {
		return before
	}
	if len(t.text) <= h.left {
		h.texts[name], h.firsts[&t.text[0]] = t, true
		h.left -= len(t.text)
	}
	return t
}

// Derive returns the result of the first call of make for a key and a text that h holds, or its beginning.
// The result must depend on nothing else, and must not be changed. A key includes everything else that it
// depends on; its type belongs to the package that uses it.
func (h *Held) Derive(text []byte, key any, make func() any) any {
	if len(text) == 0 {
		return make()
	}
	k := derivedKey{&text[0], len(text), key}
	h.mu.Lock()
	known, ok := h.derived[k]
	isHeld := h.firsts[k.text]
	h.mu.Unlock()
	if ok {
		return known
	}
	made := make()
	if isHeld {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.derived[k] = made
	}
	return made
}

func (t *heldText) open() fs.File { return &heldFile{bytes.NewReader(t.text), t} }

// A heldFile is an open file of a Held.
type heldFile struct {
	*bytes.Reader
	held *heldText
}

func (f *heldFile) Stat() (fs.FileInfo, error) { return f.held.info, nil }

func (f *heldFile) Close() error { return nil }

// Bytes returns the text, which must not be changed.
func (f *heldFile) Bytes() []byte { return f.held.text }

// heldIn returns the Held that t reads from, or nil.
func heldIn(t Tree) *Held {
	switch t := t.(type) {
	case *Held:
		return t
	case *trace:
		return heldIn(t.Tree)
	case *ListOnce:
		return heldIn(t.Tree)
	case *Confined:
		return heldIn(t.Tree)
	case *Overlay:
		return heldIn(t.under())
	}
	return nil
}

// Derive is like [Held.Derive] for a tree that reads from a Held. For any other, it calls make.
func Derive[T any](t Tree, text []byte, key any, make func() T) T {
	if h := heldIn(t); h != nil {
		return h.Derive(text, key, func() any { return make() }).(T)
	}
	return make()
}
