package output

import "testing"

// An archive of a mailing list is named by its file, unless that only says which part of the archive it has.
func TestArchiveName(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"python-dev.mbox.gz", "python-dev"},
		{"lists/python-dev.txt", "python-dev"},
		{"python-dev/2005-March.txt.gz", "python-dev"},
		{"python-dev/200503.mbox", "python-dev"},
		{"python-dev/2005/03.mbox", "python-dev"},
		{"python-dev/2005/Mar.mbox", "Mar"}, // a name without a number may be a word
		{"python-dev/2005/q1.mbox", "q1"},
		{"python-dev/2005q1.mbox", "2005q1"},
		{"python-dev/Week-of-Mon-20050307.txt", "Week-of-Mon-20050307"},
		{"python-dev/Week 10 2005.txt", "python-dev"},
		{`python-dev\2005-q1.mbox`, "python-dev"},
		{"2005-March.txt", "2005-March"},
		{"/2005.mbox", "2005"},
		{"mail/inbox/cur/1110000000.M1.host:2,S", "inbox"},
		{"mail/inbox/new/1110000000.M1.host", "inbox"},
		{"news.7", "news.7"},
		{"v1.txt.d/a.eml", "a"},
	} {
		if got := archiveName(tt.name); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
