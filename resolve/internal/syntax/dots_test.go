package syntax

import "testing"

// RFC 3986 5.2.4, and the letter of it for paths without a leading slash.
func TestRemove(t *testing.T) {
	for _, test := range []struct {
		path, want, retained string
		above                bool
	}{
		{"/a/b/c/./../../g", "/a/g", "/a/g", false}, // the examples of 5.2.4
		{"mid/content=5/../6", "mid/6", "mid/6", false},
		{"/", "/", "/", false}, {"", "", "", false}, {"/.", "/", "/", false}, {"/./", "/", "/", false}, {"/a/.", "/a/", "/a/", false}, {"/a/..", "/", "/", false},
		{"/..", "/", "/..", true}, {"/../a", "/a", "/../a", true}, {"/a/../../b", "/b", "/../b", true}, {"/../../a/../b", "/b", "/../../b", true},
		{"../g", "g", "../g", true}, {"./g", "g", "g", false}, {"a/../../g", "/g", "/../g", true}, {"..", "", "..", true}, {".", "", "", false},
		{"/...", "/...", "/...", false}, {"/.a/..b/", "/.a/..b/", "/.a/..b/", false}, {"//..//a", "//a", "//a", false}, {"/a//../b", "/a/b", "/a/b", false},
	} {
		for _, retain := range []bool{false, true} {
			want := test.want
			if retain {
				want = test.retained
			}
			got, _, above := RemoveDots([]byte(test.path), 0, 0, retain)
			if string(got) != want || above != test.above {
				t.Errorf("%q, retain %v: %q %v, want %q %v", test.path, retain, got, above, want, test.above)
			}
		}
	}
}

// Steps 6c to 6g of the 1997 draft.
func TestMerge(t *testing.T) {
	for _, test := range []struct {
		path, want, removed string
		above               bool
	}{
		{"a/b/../c", "a/c", "a/c", false}, {"./a", "a", "a", false}, {"a/.", "a/", "a/", false}, {"a/..", "", "", false}, {"a/../../g", "../g", "g", true},
		{"../g", "../g", "g", true}, {"/../g", "/../g", "/g", true}, {"/a/../g", "/g", "/g", false}, {"", "", "", false}, {"..", "..", "", true},
		{"a/b/../../c", "c", "c", false}, {"../../a/../b", "../../b", "b", true},
	} {
		for _, remove := range []bool{false, true} {
			want := test.want
			if remove {
				want = test.removed
			}
			in := 0
			if len(test.path) > 0 && test.path[0] == '/' {
				in = 1
			}
			got, _, above := MergePaths([]byte(test.path), 0, in, 0, remove)
			if string(got) != want || above != test.above {
				t.Errorf("%q, remove %v: %q %v, want %q %v", test.path, remove, got, above, want, test.above)
			}
		}
	}
}
