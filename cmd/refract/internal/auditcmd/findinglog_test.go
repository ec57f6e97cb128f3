package auditcmd

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"example.org/refract/extract"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
)

// The log holds what output as text needs of findings, in their order, also across blocks.
func TestFindingLog(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		return []string{"", "a", "ab", "a/b", "ü", strings.Repeat("long ", random.IntN(3000))}[random.IntN(6)]
	}
	var l findingLog
	var want []string
	shown := func(f *audit.Finding) string {
		return fmt.Sprintf("%q %q %+v %q %q %q %q %t %t %t", f.File, f.Path, f.Pos, f.Rule, f.Message, f.Suggestion, f.Cause, f.Certain, strings.HasPrefix(f.Written(), "/"), f.Facts == nil)
	}
	for i := range 500 {
		f := audit.Finding{File: text(), Path: text(), Rule: rule.Rules()[i%3], Message: text(), Suggestion: text(), Cause: text(), Certain: i%2 == 0, Severity: []rule.Level{"", rule.LevelNote, rule.LevelError}[i/3%3]}
		f.Pos = extract.Position{Offset: random.Int64() >> random.IntN(63), Length: random.Int(), Line: i, Column: random.IntN(3), Exact: i%3 == 0}
		if i%5 == 0 {
			f.Ref = &extract.Reference{Raw: []byte([]string{"/x", "x", ""}[i%3])}
		}
		if i%7 == 0 {
			f.Facts = []string{"site: x"}[:i%2]
		}
		if i == 300 {
			f.Message = strings.Repeat("x", 2*logBlock)
		}
		l.add(&f)
		want = append(want, shown(&f))
	}
	if len(l.full) < 2 {
		t.Errorf("%d full blocks", len(l.full))
	}
	for range 2 { // it can be read again
		i := 0
		for f := range l.all() {
			if i >= len(want) || shown(f) != want[i] {
				t.Fatalf("finding %d: %s", i, shown(f))
			}
			i++
		}
		if i != len(want) {
			t.Errorf("%d findings, not %d", i, len(want))
		}
	}
	for range l.all() {
		break
	}
	for range new(findingLog).all() {
		t.Error("a finding in an empty log")
	}
}

// Findings that are kept for output as text take little memory.
func TestFindingLogMemory(t *testing.T) {
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	const n = 100_000
	before := heap()
	l := new(findingLog)
	for i := range n {
		file := fmt.Sprintf("docs/part%d/page%d.md", i/1000, i/5)
		target := fmt.Sprintf("docs/part%d/images/figure%d.png", i/1000, i)
		l.add(&audit.Finding{
			File: file, Path: file, Rule: rule.MissingFile, Message: fmt.Sprintf("no such file: %q", target), Target: target, Cause: target,
			Pos: extract.Position{Offset: int64(i % 5 * 1000), Length: 40, Line: i % 5 * 20, Column: 3},
		})
	}
	size := (heap() - before) / n
	t.Logf("%d bytes for each finding", size)
	if size > 24 {
		t.Errorf("%d bytes for each finding, limit 24", size)
	}
	runtime.KeepAlive(l)
}
