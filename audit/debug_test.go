package audit

import (
	"context"
	"fmt"
	"os"
	"testing"

	"example.org/refract/audit/site"
)

func TestDebug(t *testing.T) {
	dir := os.Getenv("DEBUGDIR")
	if dir == "" {
		t.Skip()
	}
	a, _ := newAuditor(context.Background(), Options{Dir: dir, Hidden: true, NoIgnore: true, Jobs: 1}, func(f *Finding) { fmt.Println(f) })
	r, err := a.run()
	fmt.Println(err, r.Reasons)
	for _, s := range a.layouts.finder.Sites() {
		fmt.Println(s.Generator, s.Config, s.Base)
		for _, m := range s.Mounts {
			fmt.Println("  mount", m.Dir, m.URL, m.Kind, m.Name)
		}
		n := 0
		s.Pages(func(p *siteP) bool {
			n++
			if n < 60 {
				fmt.Println("  page", p.Rel, p.Routes, p.Also, p.Why)
			}
			return true
		})
	}
}

type siteP = site.Page
