package lazy

import (
	"sync"
	"testing"
)

func TestValue(t *testing.T) {
	var v Value[int]
	n := 0
	for range 2 {
		if got := v.Get(func() int { n++; return 7 }); got != 7 || n != 1 {
			t.Errorf("%d, computed %d times", got, n)
		}
	}
}

// All goroutines get the same value of a key.
func TestMap(t *testing.T) {
	var m Map[int, *int]
	var wg sync.WaitGroup
	results := make([]*int, 100)
	for i := range results {
		wg.Go(func() { results[i] = m.Get(i%3, func(k int) *int { return &k }) })
	}
	wg.Wait()
	for i, p := range results {
		if p != results[i%3] || *p != i%3 {
			t.Errorf("%d: another value, %d", i, *p)
		}
	}
	if n := testing.AllocsPerRun(100, func() { m.Get(1, func(k int) *int { return new(int) }) }); n != 0 {
		t.Errorf("a value that is there takes %v allocations", n)
	}
	m.DeleteFunc(func(k int) bool { return k > 0 })
	for k := range 2 {
		if p := m.Get(k, func(k int) *int { return &k }); (p == results[k]) != (k == 0) {
			t.Errorf("%d: deleted %v", k, p != results[k])
		}
	}
}
