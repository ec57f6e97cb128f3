package source

import "testing"

func TestIndexes(t *testing.T) {
	for _, c := range []struct {
		text       string
		isOn, want bool // above, and here
	}{
		{"", false, false}, {"", true, true},
		{"Options +Indexes", false, true}, {"options +indexes", false, true}, {"Options Indexes FollowSymLinks", false, true},
		{"Options -Indexes", true, false}, {"Options FollowSymLinks", true, false}, {"Options +FollowSymLinks", true, true},
		{"Options None", true, false}, {"Options All", false, true}, {"Options +All -Indexes", false, false}, {"Options", true, true},
		{"# Options +Indexes", false, false}, {"OptionsX +Indexes", false, false},
		{"Options +Indexes\nOptions -Indexes", false, false},
		{"<IfModule mod_autoindex.c>\nOptions +Indexes\n</IfModule>", false, true},
		{"<Files x>\nOptions +Indexes\n</Files>", false, false}, {"<Files x>\n</Files>\nOptions +Indexes", false, true},
		{"<If true>\nOptions +Indexes\n</If>", false, false}, {"</Files>\nOptions +Indexes", false, true},
	} {
		if got := indexesOf([]byte(c.text), c.isOn); got != c.want {
			t.Errorf("%q, above %t: %t", c.text, c.isOn, got)
		}
	}
}
