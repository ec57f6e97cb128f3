package scantest

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// A Grammar is what the syntax of a scanner is made of: its openers, closers and separators, and text between them.
type Grammar struct {
	Head   string // what a document begins with
	Tokens string // separated by spaces; "\n", "\t" and "\s" stand for a line end, a tab and a space
	Most   int    // number of triples that are scanned, and a quarter of that of pairs; 0: 1,000, and all pairs

	// IsCostly says that a scan may take more than a microsecond per byte, as where it reports each byte: only the
	// ratio counts.
	IsCostly bool
}

// tokens returns the tokens of a grammar.
func (g *Grammar) tokens() []string {
	all := strings.Fields(g.Tokens)
	for i := range all {
		all[i] = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\s`, " ").Replace(all[i])
	}
	return all
}

// A repetition is a way to repeat tokens: all of them one after the other, as siblings are, or the first n times, then
// the second once, then the third n times, as nested brackets are.
type repetition struct {
	head     string
	tokens   [3]string // the last ones may be empty
	isNested bool
}

func (r *repetition) text(size int) []byte {
	unit := strings.Join(r.tokens[:], "")
	if !r.isNested {
		return []byte(r.head + strings.Repeat(unit, size/len(unit)+1))
	}
	n := size / (len(r.tokens[0]) + len(r.tokens[2]))
	return []byte(r.head + strings.Repeat(r.tokens[0], n+1) + r.tokens[1] + strings.Repeat(r.tokens[2], n+1))
}

func (r *repetition) String() string {
	if r.isNested {
		return fmt.Sprintf("%q × n + %q + %q × n", r.tokens[0], r.tokens[1], r.tokens[2])
	}
	return fmt.Sprintf("%q × n", strings.Join(r.tokens[:], ""))
}

// step returns how many triples of n tokens there are for each that is scanned. It has no divisor in common with n, so
// that all tokens are in all places.
func (g *Grammar) step(n int) int {
	return stepOf(n*n*n, cmp.Or(g.Most, 1000), n)
}

// pairStep is like step, for pairs.
func (g *Grammar) pairStep(n int) int {
	if g.Most == 0 {
		return 1
	}
	return stepOf(n*n, g.Most/4, n)
}

func stepOf(all, most, n int) int {
	if os.Getenv(Switch) == "all" {
		return 1
	}
	step := (all + most - 1) / most
	for gcd(step, n) > 1 {
		step++
	}
	return step
}

func gcd(a, b int) int {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

// repetitions yields all pairs and triples of the tokens, as siblings and nested.
func (g *Grammar) repetitions(yield func(r *repetition) bool) {
	tokens := g.tokens()
	pairs, triples, step, pairStep := 0, 0, g.step(len(tokens)), g.pairStep(len(tokens))
	for i, a := range tokens {
		for j, b := range tokens {
			pair := [3]string{a, b}
			if pairs++; pairs%pairStep == 0 {
				if !yield(&repetition{g.Head, pair, false}) || i != j && !yield(&repetition{g.Head, [3]string{a, "", b}, true}) {
					return
				}
			}
			for k, c := range tokens {
				if triples++; triples%step != 0 {
					continue
				}
				triple := [3]string{a, b, c}
				if (i != j || j != k) && !yield(&repetition{g.Head, triple, false}) || i != k && !yield(&repetition{g.Head, triple, true}) {
					return
				}
			}
		}
	}
}

// Sizes of the inputs of Combinations, in bytes: for all repetitions, for those that look slow, and for the decision.
const (
	combinationSize = 1 << 9
	secondSize      = 1 << 12
	decidingSize    = 1 << 15 // then four and sixteen times that
)

// What takes longer than maxTime is not measured again.
const maxTime = 3 * time.Second

// maxSlow limits how many repetitions Combinations reports.
const maxSlow = 20

// Combinations scans pairs and triples of the tokens of a grammar, as many as it says, repeated to n and 4n
// bytes; with REFRACT_LONG=all, all of them, which takes many minutes. If the long tests run, it fails the
// test for each for which four times the size takes more than six times as long at all three deciding
// sizes, and a byte more than 100 ns. Most are small; those that look slow are measured again at larger
// sizes. Otherwise, it scans some, and measures nothing.
func Combinations(t *testing.T, g Grammar, scan func(src []byte)) {
	t.Helper()
	n, slow := 0, 0
	for r := range g.repetitions {
		n++
		if !IsLong() {
			if n%97 == 0 {
				scan(r.text(combinationSize))
			}
			continue
		}
		if !looksSlow(r, combinationSize, scan) || !looksSlow(r, secondSize, scan) {
			continue
		}
		if report := decideTime(r, scan, g.IsCostly); report != "" {
			t.Errorf("%s: %s", r, report)
			if slow++; slow == maxSlow {
				t.Fatal("too many")
			}
		}
	}
	t.Logf("%d repetitions", n)
}

// decideTime returns the problem with the time of r, or "". Work that grows into the caches, or for the
// collector, looks superlinear for one or two steps of the size; quadratic work, for all.
func decideTime(r *repetition, scan func(src []byte), isCostly bool) (report string) {
	for size := decidingSize; size <= decidingSize<<4; size <<= 2 {
		took, trouble := leastOf3(r, size, scan)
		if trouble == "" || trouble == tooSlow && isCostly {
			return ""
		}
		report = fmt.Sprintf("%s: %v for %d KB, %v for four times as much", trouble, took[0], size>>10, took[1])
		if size > decidingSize && took[1] > 14*took[0] || took[1] > maxTime {
			break // quadratic: the next size takes minutes
		}
	}
	return report
}

// looksSlow reports whether r may take more than linear time, measured once at size and four times that.
func looksSlow(r *repetition, size int, scan func(src []byte)) bool {
	took := timed(r, size, scan)
	if took[1] < 8*took[0] && took[1] < time.Duration(4*size)*400 {
		return false
	}
	again := timed(r, size, scan)
	for i := range took {
		took[i] = min(took[i], again[i])
	}
	perByte := took[1] / time.Duration(4*size)
	return took[1] > 6*took[0] && perByte > 25 || perByte > 400
}

// timed returns the time that r takes at size and at four times that. Garbage is not collected in between.
func timed(r *repetition, size int, scan func(src []byte)) (took [2]time.Duration) {
	small, large := r.text(size), r.text(4*size)
	start := time.Now()
	scan(small)
	middle := time.Now()
	scan(large)
	return [2]time.Duration{middle.Sub(start), time.Since(middle)}
}

// leastOf3 returns the least CPU time of up to three measurements, and the problem with it, or "". The
// memory has no limit: the collector's work in front of one, which ends there, is not that of the scan.
func leastOf3(r *repetition, size int, scan func(src []byte)) (best [2]time.Duration, trouble string) {
	for i := range 3 {
		for k := range best {
			src := r.text(size << (2 * k))
			start := Clock()
			scan(src)
			if took := Clock() - start; i == 0 || took < best[k] {
				best[k] = took
			}
		}
		if trouble = judge(best, 0, 4*size); trouble == "" || best[1] > maxTime {
			break
		}
	}
	return best, trouble
}
