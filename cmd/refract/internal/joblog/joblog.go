// Package joblog writes text to logs of CI jobs. A runner obeys some lines of a log, of standard output and
// standard error alike, and names and texts of strangers may occur in them:
//
//   - GitHub's runner, and those like it: "##[name]" anywhere in a line, and "::name ...::" at its
//     beginning, after any white space (ActionCommand.cs of actions/runner, TryParse and TryParseV2)
//   - Azure's agent: "##vso[area.event]" anywhere (Command.cs of microsoft/azure-pipelines-agent)
//   - TeamCity: "##teamcity[name ...]" anywhere; other programs have copied this form with names of their
//     own
//
// For them, a line ends with \n or \r.
package joblog

import (
	"bytes"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// A Form says what an output consists of, and so how to break a command in it.
type Form int

const (
	Text     Form = iota // lines for people: "##\[name]", and "./::name" at the beginning of a line
	Patch                // like Text, but exact where no runner is known: "git apply" compares each byte
	JSON                 // "##\u005bname]", which is the same string
	XML                  // "##&#91;name]" and "&#58;:name", which is the same text
	Commands             // commands of our own at the beginning of each line, whose values are escaped
	Data                 // for programs only: nothing is changed
)

// broken has what is written for the bracket of a command, and for the first of two colons at the beginning of a line.
var broken = map[Form]struct{ bracket, colon string }{
	Text:     {`\[`, "./:"},
	Patch:    {`\[`, "./:"},
	JSON:     {`\u005b`, ":"},
	XML:      {"&#91;", "&#58;"},
	Commands: {`\[`, ":"},
}

// A Log is a stream that a runner may read. It can be used by several goroutines.
type Log struct {
	file     *os.File
	isRunner bool // a runner is known to read it
	form     Form

	writing sync.Mutex
	buf     []byte
	marks   int  // number signs just written: 0, 1, 2, or 3 for two that a part of a name follows
	isStart bool // only white space was written since the beginning of the line
}

// last is the stream that was written to last. Standard output and standard error may be one file.
var last atomic.Pointer[Log]

// Open returns a writer to file: a [Log], unless file is a regular file, or a terminal that no runner is known to read.
func Open(file *os.File) io.Writer { return open(file, isRunner(os.Getenv)) }

func open(file *os.File, isRunner bool) io.Writer {
	info, err := file.Stat()
	if err == nil && info.Mode().IsRegular() || !isRunner && term.IsTerminal(int(file.Fd())) {
		return file
	}
	return &Log{file: file, isRunner: isRunner, isStart: true}
}

// isRunner reports whether an environment is that of a job. Most runners set CI.
func isRunner(env func(string) string) bool {
	for _, name := range []string{"CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"} {
		if env(name) != "" {
			return true
		}
	}
	return false
}

// File returns the file that w writes to, or nil.
func File(w io.Writer) *os.File {
	switch w := w.(type) {
	case *os.File:
		return w
	case *Log:
		return w.file
	}
	return nil
}

// SetForm declares what will be written to w. It has no effect on writers other than a [Log].
func SetForm(w io.Writer, form Form) {
	if l, ok := w.(*Log); ok {
		l.form = form
	}
}

// Write writes p, with the commands in it broken.
func (l *Log) Write(p []byte) (int, error) {
	l.writing.Lock()
	defer l.writing.Unlock()
	if last.Swap(l) != l {
		l.isStart = true // the other stream may have ended the line
	}
	if l.form == Data || l.form == Patch && !l.isRunner {
		return l.file.Write(p)
	}
	if _, err := l.file.Write(l.escaped(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// escaped returns p with the commands in it broken: p itself if it has none. The result is valid until the next call.
func (l *Log) escaped(p []byte) []byte {
	by := broken[l.form]
	l.buf = l.buf[:0]
	done := 0 // bytes of p in l.buf
	for i, looked := 0, false; i < len(p); {
		if l.marks == 0 && !l.isStart {
			if !looked {
				looked = true
				i += quiet(p[i:])
			}
			i += ordinary(p[i:])
			if i == len(p) {
				break
			}
		}
		with := ""
		switch {
		case p[i] == '[' && l.marks >= 2:
			with = by.bracket
		case p[i] == ':' && l.isStart && (i+1 == len(p) || p[i+1] == ':'):
			with = by.colon // also at the end of p, since the next write may begin with another
		}
		n := l.step(p[i:])
		if with != "" {
			l.buf = append(append(l.buf, p[done:i]...), with...)
			done = i + n
		}
		i += n
	}
	if done == 0 {
		return p
	}
	l.buf = append(l.buf, p[done:]...)
	return l.buf
}

// quiet returns the number of bytes at the beginning of p, within a line, that have no command, and after which a line ends:
// most output has none, and a search for two bytes is faster than reading it byte by byte.
func quiet(p []byte) int {
	if bytes.Contains(p, numberSigns) || bytes.Contains(p, colons) {
		return 0
	}
	return max(0, bytes.LastIndexByte(p, '\n'))
}

var numberSigns, colons = []byte("##"), []byte("::")

// ordinary returns the number of bytes at the beginning of p that neither begin a command nor end a line.
func ordinary(p []byte) int {
	for i, c := range p {
		if c <= '#' && (c == '#' || c == '\n' || c == '\r') {
			return i
		}
	}
	return len(p)
}

// step notes that the first character of p is written, and returns its length.
func (l *Log) step(p []byte) int {
	c := p[0]
	switch {
	case c == '#' && (l.marks == 1 || l.marks == 2):
		l.marks = 2
	case c == '#':
		l.marks = 1
	case l.marks >= 2 && isName(c):
		l.marks = 3
	default:
		l.marks = 0
	}
	switch {
	case c == '\n' || c == '\r':
		l.isStart = true
		return 1
	case !l.isStart:
		return 1
	}
	r, n := utf8.DecodeRune(p)
	// What is no UTF-8 may be a part of a character that another write has begun. A mark at the beginning of a stream
	// is no text.
	l.isStart = unicode.IsSpace(r) || r == utf8.RuneError && n == 1 || r == '\ufeff'
	return n
}

// isName reports whether c can be in the name between "##" and "[".
func isName(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '.'
}
