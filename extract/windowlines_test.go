package extract

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// Lines are counted on from one window to the next, however the windows are walked.
func TestWindowLines(t *testing.T) {
	var text bytes.Buffer
	for i := 1; text.Len() < 4*batchSize; i++ {
		if i%1000 == 0 {
			fmt.Fprintf(&text, "see http://h/%d now\n", i)
		} else {
			text.WriteString(strings.Repeat("x", i%50) + "\n")
		}
	}
	check := func(how string, r *Reference) {
		t.Helper()
		want := fmt.Sprintf("http://h/%d", r.Pos.Line)
		if string(r.URL) != want || r.Pos.Column != 5 {
			t.Fatalf("%s: %s is at %d:%d", how, r.URL, r.Pos.Line, r.Pos.Column)
		}
	}
	c := Config{Lines: true, Type: "text/plain"}
	n := 0
	for r, err := range c.Walk("a", bytes.NewReader(text.Bytes())) {
		if err != nil {
			t.Fatal(err)
		}
		check("walked", r)
		n++
	}
	if n < 100 {
		t.Fatalf("%d references", n)
	}
	var all []*Batch
	for b, err := range c.Batches("a", bytes.NewReader(text.Bytes())) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b)
	}
	if len(all) < 4 {
		t.Fatalf("%d batches", len(all))
	}
	for i, b := range all { // only the first references of some
		for r := range b.References() {
			check("collected", r)
			if i%2 == 0 {
				break
			}
		}
		for r := range b.References() {
			check("again", r)
		}
	}
	tasks := func(yield func(*Task[int]) bool) {
		for b := range c.Batches("a", bytes.NewReader(text.Bytes())) {
			if !yield(&Task[int]{Batch: b}) {
				return
			}
		}
	}
	err := Parallel(3, tasks, func(t *Task[int], emit func([]*Reference) bool) {
		var list []*Reference
		for r := range t.Batch.References() {
			list = append(list, r.Clone())
		}
		emit(list)
	}, func(_ *Task[int], list []*Reference) error {
		for _, r := range list {
			check("parallel", r)
		}
		return nil
	}, func(*Task[int]) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
}
