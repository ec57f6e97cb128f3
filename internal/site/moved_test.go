package site

import (
	"fmt"
	"testing"
)

// Whether a URL redirects to a page is looked up, however many do; also while there are still more.
func TestIsMoved(t *testing.T) {
	p := &Page{}
	for i := range 100 {
		u := fmt.Sprintf("/old%d/", i)
		if p.IsMoved(u) || p.isMovedExactly(u) {
			t.Errorf("%s is moved before it is", u)
		}
		p.Moved = append(p.Moved, u)
		if !p.IsMoved(u) || !p.IsMoved(u[:len(u)-1]) || !p.isMovedExactly(u) || p.isMovedExactly(u[:len(u)-1]) {
			t.Errorf("%s is not moved", u)
		}
	}
}

// A pattern of what a site computes has a part for each part of a URL, and "**" for any number.
func TestIsComputed(t *testing.T) {
	for _, test := range []struct {
		pattern, url string
		want         bool
	}{
		{"/a/*", "/a/b", true}, {"/a/*", "/a/b/", true}, {"/a/*", "/a", false}, {"/a/*", "/b/c", false}, {"/a/*", "/a/b/c", false},
		{"/a/**", "/a/b/c", true}, {"/a/**", "/a", true}, {"/a/*/c", "/a/b", false}, {"/**", "/", true},
	} {
		if got := isComputed(test.pattern, test.url); got != test.want {
			t.Errorf("%s matches %s: %v", test.pattern, test.url, got)
		}
	}
}

// Pages below a directory are counted by their URLs in order, with the base.
func TestBelow(t *testing.T) {
	s := &Site{}
	s.Base, s.isLoaded = "/x/", true
	s.ByURL = map[string]*Page{"/": {File: "i"}, "/a/": {File: "a"}, "/a/b/": {File: "b"}, "/ab/": {File: "c"}, "/a/made/": {}}
	for dir, want := range map[string]int{"/x/": 4, "/x/a/": 2, "/x/a": 3, "/x/b/": 0, "/a/": 0, "/y": 0, "": 4} {
		if got := s.Below(dir); got != want {
			t.Errorf("%s: %d, want %d", dir, got, want)
		}
	}
}
