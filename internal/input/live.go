package input

import (
	"bytes"
	"io"
	"io/fs"
)

// A live reads an input that may pause, such as a pipe or a terminal. A goroutine reads ahead of it, so
// that Ready can tell whether there is more, and so that the program on the other side need not wait while
// its output is searched.
type live struct {
	file   io.ReadCloser
	name   string // for errors
	filled chan piece
	free   chan []byte
	stop   chan struct{} // closed by Close

	last piece  // what is being read
	rest []byte // of last.text
}

// A piece is what a read has returned.
type piece struct {
	text []byte
	err  error
}

const (
	liveSize   = 64 << 10
	livePieces = 16
)

// newLive returns a live that reads head, then f. Closing it closes file.
func newLive(name string, head []byte, f io.Reader, file io.ReadCloser) *live {
	l := &live{file: file, name: name, rest: head, stop: make(chan struct{}),
		filled: make(chan piece, livePieces), free: make(chan []byte, livePieces)}
	for range livePieces {
		l.free <- nil
	}
	go l.readAhead(f)
	return l
}

// readAhead fills pieces until f ends or l is closed.
func (l *live) readAhead(f io.Reader) {
	for {
		select {
		case <-l.stop:
			return
		case buf := <-l.free:
			if buf == nil {
				buf = make([]byte, liveSize)
			}
			n, err := f.Read(buf[:liveSize])
			l.filled <- piece{buf[:n], err} // there are as many places as buffers
			if err != nil {
				return
			}
		}
	}
}

// Ready reports whether Read returns at once.
func (l *live) Ready() bool { return len(l.rest) > 0 || l.last.err != nil || len(l.filled) > 0 }

func (l *live) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for len(l.rest) == 0 {
		if l.last.err == io.EOF {
			return 0, io.EOF
		} else if l.last.err != nil {
			return 0, failure(l.name, l.last.err)
		}
		if l.last.text != nil {
			l.free <- l.last.text
		}
		l.last = <-l.filled
		l.rest = l.last.text
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// Close must not be called at the same time as Read.
func (l *live) Close() error {
	select {
	case <-l.stop:
	default:
		close(l.stop)
	}
	return l.file.Close()
}

// mayPause reports whether f is a pipe, a socket or a terminal.
func mayPause(f fs.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeCharDevice) != 0
}

// readMagic reads into head until it shows how f is compressed: a line of text shows that it is not, unless it is
// the first of a news batch. It returns the number of bytes.
func readMagic(f io.Reader, head []byte) (n int, err error) {
	for n < maxBatchLine+magicLen && err == nil {
		var k int
		k, err = f.Read(head[n:])
		n += k
		if bytes.IndexByte(head[:n], '\n') >= 0 && (head[0] >= ' ' || head[0] == '\n') && batchLine(head[:n]) == 0 {
			break
		}
	}
	return n, err
}
