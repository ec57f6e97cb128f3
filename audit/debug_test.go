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
	if os.Getenv("DEBUGREFS") != "" {
		a.collect()
		a.read()
		for _, d := range a.docs {
			for _, k := range d.refs {
				fmt.Println(d.name, k.pos.Line, k.kind, k.how, k.in, k.ref, k.raw, k.labels.Names(), k.result.Step, k.err)
			}
			if os.Getenv("DEBUGREFS") == "2" {
				for _, k := range d.anchors {
					fmt.Println("  anchor", d.name, k.line, k.in, k.name)
				}
			}
		}
		return
	}
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
