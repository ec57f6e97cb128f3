package searchcmd

import (
	"sync"

	"example.org/refract/cmd/refract/internal/distinct"
	"example.org/refract/cmd/refract/internal/output"
)

// recentURLs holds the URLs that jobs have rendered last, for later jobs: a URL that a Set drops anyway
// need not be rendered again. Jobs begin in any order, so each uses only URLs of jobs before it.
type recentURLs struct {
	mu   sync.Mutex
	free []recentOf
}

// A recentOf holds URLs that the job at a place, and some before it, have rendered.
type recentOf struct {
	place int
	urls  *distinct.Recent
}

// take returns URLs for the job at a place.
func (r *recentURLs) take(place int) *distinct.Recent {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.free) == 0 {
		return new(distinct.Recent)
	}
	last := len(r.free) - 1
	of := r.free[last]
	r.free = r.free[:last]
	if of.place > place {
		of.urls.Clear()
	}
	return of.urls
}

// put gives URLs back that the job at a place has used.
func (r *recentURLs) put(place int, urls *distinct.Recent) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.free = append(r.free, recentOf{place, urls})
}

// dropsRepeated reports whether a repeated URL changes nothing but counts of references, and has a key that
// takes longer to make than to see that it is repeated.
func (s *search) dropsRepeated() bool {
	r := &s.renderer
	return s.distinct != nil && r.Canonical != nil && s.overview == nil && s.columns == nil && r.Count == "" && r.Age == output.AnyAge && !r.Format.IsEdge()
}

// knownRatio is what a URL is charged for, in place of its output, where repeated URLs are dropped: which
// are depends on how jobs run.
const knownRatio = 3
