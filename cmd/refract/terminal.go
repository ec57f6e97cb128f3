package main

import (
	"fmt"
	"io"
	"iter"
	"os"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"example.org/refract/internal/input"
)

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// coloured reports whether output has colours: if --color asks for them, or if it goes to a
// terminal that supports them and the user has not disabled them (https://no-color.org/).
func coloured(when string, toTerminal bool) bool {
	switch when {
	case "always":
		return true
	case "never":
		return false
	}
	return toTerminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// appendVisible appends s for a terminal. It escapes control characters, direction marks and
// bytes that are not UTF-8: a URL must not move the cursor or reverse the text beside it.
func appendVisible(dst, s []byte) []byte {
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		switch {
		case r == utf8.RuneError && n == 1:
			dst = fmt.Appendf(dst, `\x%02x`, s[0])
		case r < ' ', r >= 0x7f && r < 0xa0, r == 0x61c, r >= 0x200b && r <= 0x200f,
			r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x2069, r == 0xfeff:
			dst = fmt.Appendf(dst, `\u{%x}`, r)
		default:
			dst = append(dst, s[:n]...)
		}
		s = s[n:]
	}
	return dst
}

// A progress shows how many bytes have been read, and the total if that is known. It starts after
// one second. A nil progress shows nothing.
type progress struct {
	out   io.Writer
	start time.Time
	shown time.Time // when the line was last written
	bytes int64
	width int // of the line on the screen, 0 if there is none

	total atomic.Int64 // bytes of all inputs; 0 or less: unknown
	ended atomic.Bool
}

func newProgress(out io.Writer) *progress { return &progress{out: out, start: time.Now()} }

func (p *progress) add(n int64) {
	if p == nil {
		return
	}
	p.bytes += n
	now := time.Now()
	if now.Sub(p.start) > time.Second && now.Sub(p.shown) > 100*time.Millisecond {
		p.shown = now
		of := ""
		if total := p.total.Load(); total >= p.bytes {
			of = " of " + size(total)
		}
		p.show(fmt.Sprintf("reading: %s%s, %s/s", size(p.bytes), of, size(int64(float64(p.bytes)/now.Sub(p.start).Seconds()))))
	}
}

// measure sets the total to the size of files. It stays unknown if one of them is compressed or is
// not a regular file.
func (p *progress) measure(files iter.Seq2[input.File, error]) {
	total := int64(0)
	for file, err := range files {
		if p.ended.Load() {
			return
		}
		if err != nil {
			continue // the run will report it
		}
		info, err := os.Stat(file.Path)
		if err == nil && !info.Mode().IsRegular() || file.Path == "-" || file.Range != "" || input.Inner(file.Path) != file.Path {
			return
		}
		if err == nil {
			total += info.Size()
		}
	}
	p.total.Store(total)
}

// show replaces the line on the screen.
func (p *progress) show(line string) {
	fmt.Fprintf(p.out, "\r%-*s\r%s", p.width, "", line)
	p.width = len(line)
}

// clear removes the line, so that a message can be printed in its place.
func (p *progress) clear() {
	if p != nil && p.width > 0 {
		p.show("")
	}
}

func (p *progress) finish() {
	if p != nil {
		p.ended.Store(true)
		p.clear()
	}
}

// size formats a number of bytes with a unit.
func size(n int64) string {
	const units = "kMGTPE"
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	value, i := float64(n)/1000, 0
	for value >= 999.5 && i < len(units)-1 {
		value /= 1000
		i++
	}
	return fmt.Sprintf("%.3g %cB", value, units[i])
}
