package main

import (
	"fmt"
	"io"
	"os"
	"time"
	"unicode/utf8"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// colours reports whether output to a terminal has colours.
func colours() bool { return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" }

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

// A progress shows how many bytes have been read, from the second second on. A nil progress
// shows nothing.
type progress struct {
	start time.Time
	bytes int64
	bar   *progressbar.ProgressBar
}

func newProgress(out io.Writer) *progress {
	return &progress{start: time.Now(), bar: progressbar.NewOptions64(-1,
		progressbar.OptionSetWriter(out), progressbar.OptionSetDescription("reading"),
		progressbar.OptionShowBytes(true), progressbar.OptionShowCount(),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())}
}

func (p *progress) add(n int64) {
	if p == nil {
		return
	}
	p.bytes += n
	if p.isVisible() {
		p.bar.Set64(p.bytes)
	}
}

func (p *progress) isVisible() bool { return time.Since(p.start) > time.Second }

// clear removes the bar, so that a message can be printed.
func (p *progress) clear() {
	if p != nil && p.isVisible() {
		p.bar.Clear()
	}
}

func (p *progress) finish() {
	if p != nil && p.isVisible() {
		p.bar.Finish()
	}
}
