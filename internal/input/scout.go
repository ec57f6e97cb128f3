package input

import (
	"io/fs"
	"slices"
	"strings"
	"sync"
)

// A sight is a directory of a walk, and what was seen when it was visited.
type sight struct {
	dir
	entries     []fs.DirEntry
	err         error // of listing it
	levelErr    error // of its ignore files
	maildir, mh bool

	// For scouts:
	isTaken bool          // somebody visits it, or has
	seen    chan struct{} // closed when a scout has visited it
	subs    []*sight      // directories in it that the walk will enter, in order
}

// see lists a directory and reads its ignore files.
func (w *walker) see(at *sight) {
	at.entries, at.err = w.tree.ReadDir(at.path)
	if !w.NoIgnore {
		at.level, at.levelErr = at.level.enter(w.tree, at.dir, at.entries)
	}
	at.maildir, at.mh = shape(at.entries)
	at.maildir = at.maildir || at.folder
}

// next returns the directory for an entry that the walk comes to, or nil if the walk leaves it out. Scouts
// know that, but do not note which globs match.
func (w *walker) next(at *sight, name string) (sub *sight) {
	if w.scouts == nil {
		return w.enter(at, name)
	}
	if len(w.globs) > 0 {
		w.GlobUse.note(strings.TrimPrefix(at.abs+name, w.cwd), true)
	}
	if len(at.subs) > 0 && at.subs[0].name == at.name+name+"/" {
		sub, at.subs = at.subs[0], at.subs[1:]
	}
	return sub
}

// maxSeen limits how many directories have been visited that the walk has not reached.
const maxSeen = 1024

// Scouts visit the directories of a walk before it reaches them, several at a time: the walk of a large
// tree mostly waits for listings. They visit the same directories as the walk, in the order in which it
// will need them.
type scouts struct {
	walker // notes nothing
	done   sync.WaitGroup

	mu       sync.Mutex
	change   sync.Cond
	unseen   []*sight // the next of the walk last; some are taken
	seen     int      // visited by a scout, and not yet reached by the walk
	isClosed bool
}

// newScouts returns n scouts for a walk.
func newScouts(w *walker, n int) *scouts {
	o := *w.Options
	o.GlobUse = nil
	s := &scouts{walker: *w}
	s.Options, s.yield, s.change.L = &o, nil, &s.mu
	for range n {
		s.done.Go(s.visitAll)
	}
	return s
}

// visitAll visits directories until the walk ends.
func (s *scouts) visitAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		for !s.isClosed && (len(s.unseen) == 0 || s.seen >= maxSeen) {
			s.change.Wait()
		}
		if s.isClosed {
			return
		}
		at := s.unseen[len(s.unseen)-1]
		s.unseen = s.unseen[:len(s.unseen)-1]
		if at.isTaken {
			continue
		}
		at.isTaken = true
		s.seen++
		s.visit(at)
		close(at.seen)
	}
}

// visit visits a directory, with the lock released meanwhile.
func (s *scouts) visit(at *sight) {
	s.mu.Unlock()
	s.see(at)
	at.subs = s.below(at)
	s.mu.Lock()
	for _, sub := range slices.Backward(at.subs) {
		if len(sub.path) <= maxPath {
			s.unseen = append(s.unseen, sub)
		}
	}
	s.change.Broadcast()
}

// below returns the directories in one that has been visited which the walk will enter.
func (s *scouts) below(at *sight) (subs []*sight) {
	for _, e := range at.entries {
		if !e.IsDir() || at.isPending(e.Name()) {
			continue
		}
		if sub := s.enter(at, e.Name()); sub != nil {
			sub.seen = make(chan struct{})
			subs = append(subs, sub)
		}
	}
	return subs
}

// reach is called when the walk reaches a directory. It returns when that has been visited.
func (s *scouts) reach(at *sight) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !at.isTaken {
		at.isTaken = true
		s.visit(at)
		return
	}
	s.mu.Unlock()
	<-at.seen
	s.mu.Lock()
	s.seen--
	s.change.Signal()
}

// close ends the scouts.
func (s *scouts) close() {
	s.mu.Lock()
	s.isClosed = true
	s.change.Broadcast()
	s.mu.Unlock()
	s.done.Wait()
}
