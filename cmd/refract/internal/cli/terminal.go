package cli

import (
	"fmt"
	"io"
	"iter"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"example.org/refract/cmd/refract/internal/joblog"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/input"
)

// IsTerminal reports whether text written to w is shown on a terminal.
func IsTerminal(w io.Writer) bool {
	file := joblog.File(w)
	return file != nil && term.IsTerminal(int(file.Fd()))
}

// Coloured reports whether output has colours: if --color asks for them, or if it goes to a
// terminal that supports them and the user has not disabled them (https://no-color.org/).
func Coloured(when string, toTerminal bool) bool {
	if when == "never" || when != "always" && (!toTerminal || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb") {
		return false
	}
	canShow := !toTerminal || enableColour(os.Stdout)
	return canShow || when == "always"
}

// AppendVisible appends s for a terminal. It escapes control characters, direction marks and
// bytes that are not UTF-8: a URL must not move the cursor or reverse the text beside it.
func AppendVisible(dst, s []byte) []byte {
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		switch {
		case r == utf8.RuneError && n == 1:
			dst = fmt.Appendf(dst, `\x%02x`, s[0])
		case ascii.IsHidden(r):
			dst = fmt.Appendf(dst, `\u{%x}`, r)
		default:
			dst = append(dst, s[:n]...)
		}
		s = s[n:]
	}
	return dst
}

// A Progress shows how many bytes of files have been read, and the total, the time left, and the current
// file if these are known. It starts after one second. A nil Progress shows nothing.
type Progress struct {
	out   io.Writer
	start time.Time
	shown time.Time // when the line was last written
	bytes int64
	file  string // the current input
	width int    // of the line on the screen, 0 if there is none

	Total   atomic.Int64 // bytes of all inputs; 0 or less: unknown
	skipped atomic.Int64 // bytes that a previous run has read
	ended   atomic.Bool
}

// NewProgress returns a progress that is shown on out, from now on.
func NewProgress(out io.Writer) *Progress { return &Progress{out: out, start: time.Now()} }

// Add notes that n more bytes have been read.
func (p *Progress) Add(n int64) { p.AddOf(n, "") }

// AddOf notes that n more bytes have been read, the last of them of file.
func (p *Progress) AddOf(n int64, file string) {
	if p == nil {
		return
	}
	p.bytes += n
	if file != "" {
		p.file = file
	}
	now := time.Now()
	if now.Sub(p.start) > time.Second && now.Sub(p.shown) > 100*time.Millisecond {
		p.shown = now
		p.show(p.line(now.Sub(p.start)))
	}
}

// Skip notes that a previous run has read n bytes. It may be called by another goroutine than the other methods.
func (p *Progress) Skip(n int64) {
	if p != nil {
		p.skipped.Add(n)
	}
}

// maxShownFile limits the columns of the name of the current file.
const maxShownFile = 32

// line returns the line to show when a run has taken so long.
func (p *Progress) line(elapsed time.Duration) string {
	rate := float64(p.bytes) / elapsed.Seconds()
	done := p.bytes + p.skipped.Load()
	text := "reading: " + size(done)
	total := p.Total.Load()
	if total >= done {
		text += " of " + size(total)
	}
	text += ", " + size(int64(rate)) + "/s"
	if total >= done && rate > 0 {
		text += ", " + timeLeft(float64(total-done)/rate)
	}
	if p.file == "" {
		return text
	}
	name := []rune(string(AppendVisible(nil, []byte(p.file))))
	if cut := len(name) - maxShownFile; cut > 0 {
		name = append([]rune("..."), name[cut+len("..."):]...)
	}
	return text + ", " + string(name)
}

// timeLeft formats a number of seconds.
func timeLeft(seconds float64) string {
	const day = 24 * 3600
	switch s := int64(min(seconds+0.999, 1e9)); {
	case s < 60:
		return fmt.Sprintf("%d s left", s)
	case s < 3600:
		return fmt.Sprintf("%d min left", (s+59)/60)
	case s < 2*day:
		return fmt.Sprintf("%d h %d min left", s/3600, s%3600/60)
	default:
		return fmt.Sprintf("%d days left", s/day)
	}
}

// Measure sets the total to the size of files. It stays unknown if one of them is not a regular file.
func (p *Progress) Measure(files iter.Seq2[input.File, error]) {
	total := int64(0)
	for file, err := range files {
		if p.ended.Load() {
			return
		}
		if err != nil {
			continue // the run will report it
		}
		info, err := os.Stat(file.Path)
		if err == nil && !info.Mode().IsRegular() || file.Path == "-" || file.Range != "" {
			return
		}
		if err == nil {
			total += info.Size()
		}
	}
	p.Total.Store(total)
}

// show replaces the line on the screen.
func (p *Progress) show(line string) {
	fmt.Fprintf(p.out, "\r%-*s\r%s", p.width, "", line)
	p.width = utf8.RuneCountInString(line)
}

// Clear removes the line, so that a message can be printed in its place.
func (p *Progress) Clear() {
	if p != nil && p.width > 0 {
		p.show("")
	}
}

// Finish removes the line.
func (p *Progress) Finish() {
	if p != nil {
		p.ended.Store(true)
		p.Clear()
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

// OnInterrupt calls undo and ends the process if the run is interrupted before stop is called.
func OnInterrupt(undo func()) (stop func()) {
	signals := make(chan os.Signal, 1)
	notify(signals)
	go func() {
		if s, ok := <-signals; ok {
			undo()
			number, _ := s.(syscall.Signal)
			os.Exit(ExitInterrupted + int(number))
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
	}
}

// ColorValues are the values of --color.
var ColorValues = []string{"auto", "always", "never"}
