package audittest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/audit"
	"github.com/rogpeppe/go-internal/txtar"
)

// Probes compares what the probes of trees say with audits of the trees in which the changed link stands in
// the document. In each tree, it does so for the first probe of each kind and reason; most limits their
// number.
func Probes(t *testing.T, trees []Tree, except []string, most int) {
	t.Helper()
	for _, tree := range trees {
		if slices.Contains(except, tree.Name) {
			continue
		}
		t.Run(tree.Name, func(t *testing.T) {
			tree.eachProbe(t, most)
		})
	}
}

func (tree Tree) eachProbe(t *testing.T, most int) {
	t.Helper()
	o := options(t, tree.Settings, tree.Files, func(string, int, int, string, ...any) {})
	o.Probes = audit.AllProbes
	var probes []*audit.Probe
	seen := map[string]bool{}
	o.Probed = func(p *audit.Probe) {
		key := fmt.Sprint(p.Kind, p.Why.Name())
		if !seen[key] && p.Kind != audit.ToLabel && p.Pos.Exact {
			seen[key] = true
			probes = append(probes, p)
		}
	}
	if _, err := audit.Run(context.Background(), o, nil); err != nil {
		t.Fatal(err)
	}
	for _, p := range probes[:min(most, len(probes))] {
		tree.checkProbe(t, p)
	}
}

// checkProbe audits the tree with the changed link of a probe.
func (tree Tree) checkProbe(t *testing.T, p *audit.Probe) {
	t.Helper()
	files := slices.Clone(tree.Files)
	i := slices.IndexFunc(files, func(f txtar.File) bool { return f.Name == strings.TrimPrefix(p.Path, "/t/") })
	if i < 0 {
		return
	}
	start, end := int(p.Pos.Offset), int(p.Pos.Offset)+p.Pos.Length
	text := string(files[i].Data)
	if end > len(text) || text[start:end] != p.Raw || strings.ContainsAny(p.Raw, `\&`) {
		return
	}
	files[i].Data = []byte(text[:start] + p.Changed + text[end:])
	o := options(t, tree.Settings, files, func(string, int, int, string, ...any) {})
	found := ""
	_, err := audit.Run(context.Background(), o, func(f *audit.Finding) {
		if f.Path == p.Path && f.Pos.Offset >= p.Pos.Offset && f.Pos.Offset <= p.Pos.Offset+int64(len(p.Changed)) {
			found = f.Message
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if (found != "") != p.Why.IsZero() {
		t.Errorf("%s:%d: %s for %s: reported %q, but the probe says %q", p.Path, p.Pos.Line, p.Changed, p.Raw, found, p.Why)
	}
}
