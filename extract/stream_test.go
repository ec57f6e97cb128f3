package extract

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// A turnReader returns one of its texts at each Read. It fails if the references that the texts before complete have
// not been yielded by then.
type turnReader struct {
	t     *testing.T
	turns []turn
	want  []string // by now
	got   *[]string
}

type turn struct {
	text string
	refs []string // that text completes
}

func (r *turnReader) Read(p []byte) (int, error) {
	if !slices.Equal(*r.got, r.want) {
		r.t.Errorf("before %q: references %q, want %q", r.turns, *r.got, r.want)
	}
	if len(r.turns) == 0 {
		return 0, io.EOF
	}
	next := r.turns[0]
	r.turns, r.want = r.turns[1:], append(r.want, next.refs...)
	return copy(p, next.text), nil
}

func TestWalkOfStream(t *testing.T) {
	long := strings.Repeat("x", 60) + " "
	a, b, c := "http://a.example/1", "http://b.example/2", "http://c.example/3"
	for name, turns := range map[string][]turn{
		"lines":       {{a + "\n", []string{a}}, {b + "\n", []string{b}}, {c, nil}, {"\n", []string{c}}},
		"a blank":     {{"x\n", nil}, {a + " ", []string{a}}, {"x" + b, nil}, {"/y\nz", []string{b + "/y"}}},
		"pieces":      {{"ht", nil}, {"tp:", nil}, {"//a.exa", nil}, {"mple", nil}, {"\n", []string{"http://a.example"}}},
		"quotes":      {{"x \"" + a + "\n", nil}, {"/y\" z\n", nil}, {long + long + long + long + long, []string{a + "/y"}}},
		"at the end":  {{"x\nsee " + a, nil}},
		"a long line": {{long + a + "\n", nil}, {"next ", []string{a}}, {"x\n" + long + b + "/\n", nil}, {"y.html ", []string{b + "/"}}},
		"JSON lines":  {{`{"u":"` + a + `"}` + "\n", []string{a}}, {`{"u":"` + b + `"}` + "\n", []string{b}}},
		"escapes":     {{`{"u":"http:\/\/a.example\/1"}` + "\n", []string{a}}, {`{"u":"http:\/\/b.exam`, nil}, {`ple\`, nil}, {`/2"}` + "\n", []string{b}}},
		"a log":       {{"INFO: " + a + "\n", []string{a}}, {"ERROR: " + b + "\n", []string{b}}},
		"a field":     {{"Log-Level: " + a + "\n", nil}, {"no field " + b + "\n", []string{a, b}}},
		"timestamps":  {{"2026-11-23T17:24:40Z INFO: " + a + "\n", []string{a}}, {"x " + b + "\n", []string{b}}},
		"odd message": {{"Base: http://b.example/\n", nil}, {"Subject: x\n", nil}, {"To: c@d.example\n\n", nil}, {a + "\n", nil}},
		"a message":   {{"From: a@b.example\n", nil}, {"To: c@d.example\n", nil}, {"Subject: x\n\n", nil}, {a + "\n", nil}},
	} {
		t.Run(name, func(t *testing.T) {
			var got, want []string
			var whole strings.Builder
			for _, turn := range turns {
				whole.WriteString(turn.text)
			}
			for ref, err := range new(Config).Walk("", &turnReader{t: t, turns: turns, got: &got}) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, string(ref.Ref))
			}
			for ref := range new(Config).Walk("", strings.NewReader(whole.String())) {
				want = append(want, string(ref.Ref))
			}
			if !slices.Equal(got, want) {
				t.Errorf("references %q, want %q", got, want)
			}
		})
	}
}

// Text gives the same however it arrives, and in however many goroutines.
func TestStreamAgrees(t *testing.T) {
	var b strings.Builder
	b.WriteString("text\n")
	for i := range 100 {
		fmt.Fprintf(&b, "line %d http://a.example/%d, <URL:http://b.example/\n  %d> \"http://c.example/%d\"\r\n> see %s http://d.example/%d/\n> x%d.html www.e.example\n\n",
			i, i, i, i, strings.Repeat("y", 60), i, i)
	}
	run := strings.Repeat("z", 70<<10)
	text := b.String() + "http://f.example/" + run + " http://g.example/1\n" + b.String() + "<http://h.example/" + strings.Repeat("a ", 5000) + "\n" + b.String()
	line := func(ref *Reference) string {
		return fmt.Sprintf("%v %q %q %v\n", ref.Pos, ref.Raw, ref.Ref, ref.Labels)
	}
	found := func(refs iter.Seq2[*Reference, error]) (all []string) {
		for ref, err := range refs {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, line(ref))
		}
		return all
	}
	want := found((&Config{Lines: true}).Walk("", strings.NewReader(text)))
	if len(want) < 3*300 {
		t.Fatal(len(want))
	}
	for name, r := range map[string]func() io.Reader{
		"half":     func() io.Reader { return iotest.HalfReader(strings.NewReader(text)) },
		"with EOF": func() io.Reader { return iotest.DataErrReader(&pieceReader{text: text, size: 777}) },
		"997":      func() io.Reader { return &pieceReader{text: text, size: 997} },
		"13":       func() io.Reader { return &pieceReader{text: text, size: 13} },
		"large":    func() io.Reader { return &pieceReader{text: text, size: 30000, sometimes: true} },
	} {
		for _, window := range []int{0, 3000} {
			cfg := Config{Lines: true, window: window}
			if got := found(cfg.Walk("", r())); !slices.Equal(got, want) {
				t.Errorf("%s, windows of %d: %d references, want %d: %s", name, window, len(got), len(want), firstDifference(got, want))
			}
			for _, jobs := range []int{1, 4} {
				var out strings.Builder
				err := cfg.WalkParallel(&out, "", r(), jobs, func(w io.Writer, b *Batch) error {
					for ref := range b.References() {
						io.WriteString(w, line(ref))
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				if out.String() != strings.Join(want, "") {
					t.Errorf("%s, windows of %d, %d jobs: %s", name, window, jobs, firstDifference(strings.SplitAfter(out.String(), "\n"), want))
				}
			}
		}
	}
}

func firstDifference(got, want []string) string {
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			return fmt.Sprintf("%d: %.300q, want %.300q", i, got[min(i, len(got)):min(i+1, len(got))], want[i])
		}
	}
	return "more than wanted"
}

// A pieceReader returns a text in pieces of a size, and is never ready; with sometimes, it is after two of three Reads.
type pieceReader struct {
	text      string
	size      int
	sometimes bool
	reads     int
}

func (c *pieceReader) Read(p []byte) (int, error) {
	if c.text == "" {
		return 0, io.EOF
	}
	c.reads++
	n := copy(p, c.text[:min(c.size, len(c.text))])
	c.text = c.text[n:]
	return n, nil
}

func (c *pieceReader) Ready() bool { return c.sometimes && c.reads%3 != 0 }

// A stream may be left at any reference, and by an error of a reader or writer, in one goroutine and in several.
func TestStreamStops(t *testing.T) {
	text := strings.Repeat("http://a.example/1 x\n", 50)
	for last := range 50 {
		n := 0
		for range new(Config).Walk("", &pieceReader{text: text, size: 30}) {
			if n++; n > last {
				break
			}
		}
		if n != last+1 {
			t.Errorf("%d references before the break, want %d", n, last+1)
		}
	}
	cause := errors.New("cause")
	for _, jobs := range []int{1, 4} {
		for _, stop := range []int{0, 1, 7} {
			n := 0
			err := new(Config).WalkParallel(io.Discard, "", &pieceReader{text: text, size: 30}, jobs, func(_ io.Writer, b *Batch) error {
				if n++; n > stop { // windows of a stream are walked one after the other
					return cause
				}
				for range b.References() {
				}
				return nil
			})
			if err != cause {
				t.Errorf("%d jobs: %v, want %v", jobs, err, cause)
			}
		}
		skipped := 0
		err := new(Config).WalkParallel(io.Discard, "", &pieceReader{text: text, size: 30}, jobs, func(_ io.Writer, b *Batch) error {
			skipped++
			return nil
		})
		if err != nil || skipped < 20 {
			t.Errorf("%d jobs: %d Batches that are not walked, %v", jobs, skipped, err)
		}
	}
	n := 0
	for _, err := range new(Config).Walk("", io.MultiReader(&pieceReader{text: text, size: 30}, iotest.ErrReader(cause))) {
		if n++; err != nil && (err != cause || n != 51) {
			t.Errorf("%v at %d", err, n)
		}
	}
	if n != 51 {
		t.Errorf("%d elements, want 50 references and an error", n)
	}
}
