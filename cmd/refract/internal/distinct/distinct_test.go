package distinct

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// fill adds records whose keys are what is in front of a ":", and returns what is put out
// at once, and at the end.
func fill(t *testing.T, s *Set, records []string) (now, later []string) {
	t.Helper()
	for _, r := range records {
		key, _, _ := strings.Cut(r, ":")
		fresh, err := s.Add([]byte(key), []byte(r))
		if err != nil {
			t.Fatal(err)
		}
		if fresh {
			now = append(now, r+" 1")
		}
	}
	if err := s.Finish(func(record []byte, n uint64) error {
		later = append(later, fmt.Sprint(string(record), " ", n))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return now, later
}

// naive is what is wanted.
func naive(order Order, records []string) (all []string) {
	type one struct {
		key, record string
		n           int
	}
	at := map[string]int{}
	var list []one
	for _, r := range records {
		key, _, _ := strings.Cut(r, ":")
		i, ok := at[key]
		if !ok {
			i = len(list)
			at[key] = i
			list = append(list, one{key: key, record: r})
		}
		list[i].n++
	}
	if order != First {
		slices.SortFunc(list, func(a, b one) int {
			if order == Count && a.n != b.n {
				return b.n - a.n
			}
			return strings.Compare(a.key, b.key)
		})
	}
	for _, o := range list {
		n := o.n
		if order == First {
			n = 1 // what is put out at once has not been counted
		}
		all = append(all, fmt.Sprint(o.record, " ", n))
	}
	return all
}

func TestSet(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 100, scantest.Amount(1500, 3000), scantest.Amount(1500, 20_000)} {
		for _, distinct := range []int{1, 10, 1 << 30} {
			var records []string
			for i := range n {
				key := fmt.Sprint("k", r.IntN(distinct))
				switch r.IntN(3) {
				case 0:
					records = append(records, key+":") // its key and a byte
				case 1:
					records = append(records, key)
				default:
					records = append(records, fmt.Sprint(key, ":", i, strings.Repeat("x", r.IntN(50))))
				}
			}
			if n > 2 {
				records[2] = ":"
			}
			for _, order := range []Order{First, Sorted, Count} {
				want := naive(order, records)
				for _, memory := range []int64{0, 1, 200, 20 << 10, 100 << 10, 400 << 10} {
					if n > 100 && memory > 0 && memory < 5*int64(n) { // one record at a time: a file for each
						continue
					}
					temp := t.TempDir()
					s := &Set{Order: order, Memory: memory, Temp: temp}
					now, later := fill(t, s, records)
					if order == First {
						for i := range later {
							later[i] = later[i][:strings.LastIndexByte(later[i], ' ')] + " 1"
						}
					} else if len(now) > 0 {
						t.Fatal("put out before all was there")
					}
					if got := append(now, later...); !slices.Equal(got, want) {
						t.Fatalf("%d records, %d distinct, order %d, memory %d: %d put out, %d wanted", n, distinct, order, memory, len(got), len(want))
					}
					if left, _ := os.ReadDir(temp); len(left) > 0 {
						t.Fatalf("left: %v", left)
					}
				}
			}
		}
	}
}

// Keys larger than a chunk of the table's memory.
func TestLargeKeys(t *testing.T) {
	var records []string
	for i := range 60 {
		n := 50_000
		if i%7 == 0 {
			n = 3 << 18
		}
		records = append(records, fmt.Sprint(i%50, strings.Repeat("x", n), ":", i))
	}
	for _, order := range []Order{First, Sorted} {
		want := naive(order, records)
		now, later := fill(t, &Set{Order: order, Memory: 5 << 18, Temp: t.TempDir()}, records)
		got := append(now, later...)
		for i := range got {
			if order == First {
				got[i] = got[i][:strings.LastIndexByte(got[i], ' ')] + " 1"
			}
			if i >= len(want) || got[i] != want[i] {
				t.Fatalf("order %d: record %d of %d is not what is wanted", order, i, len(want))
			}
		}
		if len(got) != len(want) {
			t.Errorf("order %d: %d records, want %d", order, len(got), len(want))
		}
	}
}

// A Set may be used again, and stopped at any time.
func TestAgain(t *testing.T) {
	s := &Set{Memory: 1, Temp: t.TempDir()}
	for range 3 {
		now, later := fill(t, s, []string{"b", "a", "b", "c"})
		if got := strings.Join(append(now, later...), ","); got != "b 1,a 1,c 1" {
			t.Error(got)
		}
	}
	for i := range 3 {
		s.Add([]byte{'a'}, []byte("a"))
		s.Add([]byte{'b'}, []byte("b"))
		s.Add([]byte{'c'}, []byte("c"))
		s.Add([]byte{'d'}, []byte("d"))
		stop := errors.New("enough")
		err := s.Finish(func([]byte, uint64) error {
			if i--; i < 0 {
				return stop
			}
			return nil
		})
		if err != stop {
			t.Error(err)
		}
	}
	s.Close()
	if left, _ := os.ReadDir(s.Temp); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// An error of the disk is one of the caller.
func TestNoDisk(t *testing.T) {
	s := &Set{Memory: 1, Temp: t.TempDir() + "/none"}
	s.Add([]byte("a"), nil)
	if _, err := s.Add([]byte("b"), nil); err == nil {
		t.Error("no error without a directory")
	}
	s.Close()
}

// Nothing is left on disk, not even while records are there.
func TestNothingLeft(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files that are open cannot be removed")
	}
	s := &Set{Memory: 1, Temp: t.TempDir()}
	defer s.Close()
	for i := range 100 {
		if _, err := s.Add(fmt.Append(nil, i), nil); err != nil {
			t.Fatal(err)
		}
	}
	if left, _ := os.ReadDir(s.Temp); len(left) > 0 || s.parts == nil {
		t.Errorf("left: %v", left)
	}
}

// However much goes to disk, few files are open.
func TestOpenFiles(t *testing.T) {
	open := func() int {
		files, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip(err)
		}
		return len(files)
	}
	s := &Set{Order: Sorted, Memory: 20 << 10, Temp: t.TempDir()}
	first, err := os.Create(filepath.Join(t.TempDir(), "first"))
	if err != nil {
		t.Fatal(err)
	}
	first.Close() // Go's runtime opens two files of its own with the first
	before := open()
	const total = 30_000
	for i := range total {
		if _, err := s.Add(fmt.Append(nil, i), nil); err != nil {
			t.Fatal(err)
		}
	}
	most, n := open(), 0
	if err := s.Finish(func([]byte, uint64) error {
		if n++; n%1000 == 0 {
			most = max(most, open())
		}
		return nil
	}); err != nil || n != total {
		t.Fatal(err, n)
	}
	if most > before+4 {
		t.Errorf("%d files are open", most-before)
	}
	if after := open(); after != before {
		t.Errorf("%d files are left open", after-before)
	}
}

func BenchmarkAdd(b *testing.B) {
	urls := make([][]byte, 1<<20)
	for i := range urls {
		urls[i] = fmt.Appendf(nil, "https://www%d.example.org/a/path/to/page-%d.html\n", i%1000, i%700000)
	}
	for _, memory := range []int64{0, 32 << 20} {
		b.Run(fmt.Sprint("memory=", memory>>20, "MiB"), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(urls)) * int64(len(urls[0])))
			for b.Loop() {
				s := &Set{Memory: memory, Temp: b.TempDir()}
				for _, u := range urls {
					if _, err := s.Add(u[:len(u)-1], u); err != nil {
						b.Fatal(err)
					}
				}
				if err := s.Finish(func([]byte, uint64) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(urls)), "ns/url")
		})
	}
}

// A Set that replays the log of another one goes on like it, wherever the log ends.
func TestReplay(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, order := range []Order{First, Sorted, Count} {
		for _, memory := range []int64{1, 5000, 1 << 20} {
			var records []string
			for range scantest.Amount(600, 3000) {
				key := fmt.Sprint(r.IntN(300))
				if r.IntN(20) == 0 {
					key += strings.Repeat("x", r.IntN(3000))
				}
				record := key + ":" + fmt.Sprint(r.IntN(3))
				if r.IntN(2) == 0 {
					record = key + ":" // the key and one byte
				}
				records = append(records, record)
			}
			at := r.IntN(len(records))
			var log bytes.Buffer
			first := &Set{Memory: memory, Order: order, Temp: t.TempDir(), Log: &log}
			add := func(s *Set, records []string) (now []string) {
				for _, r := range records {
					key, _, _ := strings.Cut(r, ":")
					if fresh, err := s.Add([]byte(key), []byte(r)); err != nil {
						t.Fatal(err)
					} else if fresh {
						now = append(now, r)
					}
				}
				return now
			}
			add(first, records[:at])
			logged := bytes.Clone(log.Bytes())
			second := &Set{Memory: memory, Order: order, Temp: t.TempDir()}
			if err := second.Replay(bytes.NewReader(logged)); err != nil {
				t.Fatal(err)
			}
			if a, b := add(first, records[at:]), add(second, records[at:]); !slices.Equal(a, b) {
				t.Fatalf("order %d, memory %d: %d and %d records at once", order, memory, len(a), len(b))
			}
			_, a := fill(t, first, nil)
			_, b := fill(t, second, nil)
			if !slices.Equal(a, b) {
				t.Fatalf("order %d, memory %d: %d and %d records at the end", order, memory, len(a), len(b))
			}
			for range scantest.Amount(3, 50) { // a damaged log is an error, or another one
				s := &Set{Memory: memory, Order: order, Temp: t.TempDir()}
				damaged := bytes.Clone(logged[:r.IntN(len(logged)+1)])
				if len(damaged) > 0 {
					damaged[r.IntN(len(damaged))] ^= byte(1 << r.IntN(8))
				}
				s.Replay(bytes.NewReader(damaged))
				s.Close()
			}
		}
	}
}
