package publish

import (
	"testing"

	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// A directory is made if enough references lead to enough pages, of which hardly any exist.
func TestIsMade(t *testing.T) {
	for _, tt := range []struct {
		count *MadeCount
		base  string
		want  bool
	}{
		{nil, "/", false},
		{&MadeCount{All: 20, Missing: 20, Pages: 5}, "/", true},
		{&MadeCount{All: 19, Missing: 19, Pages: 5}, "/", false},
		{&MadeCount{All: 20, Missing: 20, Pages: 4}, "/", false},
		{&MadeCount{All: 30, Missing: 27, Pages: 5}, "/", true},
		{&MadeCount{All: 31, Missing: 27, Pages: 5}, "/", false},
		{&MadeCount{All: 20, Missing: 20, Pages: 5}, "/api/v1/", false}, // where the whole site is
	} {
		if got := tt.count.IsMade(&site.Site{Tree: source.NewTree(tree.Disk(), t.TempDir(), 1), Address: site.Address{Base: tt.base}}, "/api/"); got != tt.want {
			t.Errorf("%+v, site at %s: %v", tt.count, tt.base, got)
		}
	}
}
