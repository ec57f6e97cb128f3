package lsp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A conn frames messages as the base protocol of LSP says: headers, an empty line, and as
// many bytes as Content-Length tells.
//
// That of jrpc2 takes every length at its word, and a large one ends the process; nor
// would it stop reading when the client has said exit.
type conn struct {
	messages chan []byte // closed at the end
	err      error       // why it has ended; read it after that
	w        io.Writer
	done     context.Context
}

// maxMessage is the size in bytes of a message up to which it is read.
const maxMessage = 256 << 20

func newConn(done context.Context, r io.Reader, w io.Writer) *conn {
	c := &conn{messages: make(chan []byte), w: w, done: done}
	go func() {
		defer close(c.messages)
		in := bufio.NewReader(r)
		for {
			var m []byte
			if m, c.err = readMessage(in); c.err != nil {
				return
			}
			select {
			case c.messages <- m:
			case <-done.Done():
				return
			}
		}
	}()
	return c
}

// Recv returns the next message. The error is io.EOF at the end of the input, and when
// nothing more is to be read.
func (c *conn) Recv() ([]byte, error) {
	select {
	case m, ok := <-c.messages:
		if !ok {
			return nil, c.err
		}
		return m, nil
	case <-c.done.Done():
		return nil, io.EOF
	}
}

func (c *conn) Send(m []byte) error {
	_, err := c.w.Write(append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(m)), m...))
	return err
}

func (c *conn) Close() error { return nil }

// readMessage reads one message. Where there is no length, or one that cannot be, nobody
// knows where the next begins: that is an error.
func readMessage(r *bufio.Reader) ([]byte, error) {
	length := -1
	for {
		line, err := r.ReadSlice('\n')
		if err == io.EOF && (len(line) > 0 || length >= 0) {
			err = io.ErrUnexpectedEOF
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			return nil, errors.New("a header line is too long")
		} else if err != nil {
			return nil, err
		}
		header := strings.TrimRight(string(line), "\r\n")
		if header == "" {
			break
		}
		name, value, ok := strings.Cut(header, ":")
		if !ok {
			return nil, fmt.Errorf("%q is no header", header)
		}
		if strings.EqualFold(name, "Content-Length") {
			length, err = strconv.Atoi(strings.TrimSpace(value))
			if err != nil || length < 0 || length > maxMessage {
				return nil, fmt.Errorf("%q: from 0 to %d bytes are read", header, maxMessage)
			}
		}
	}
	if length < 0 {
		return nil, errors.New("a message without Content-Length")
	}
	var m bytes.Buffer // which grows as there is something to read
	if n, err := io.CopyN(&m, r, int64(length)); err == io.EOF && n < int64(length) {
		return nil, io.ErrUnexpectedEOF
	} else if err != nil {
		return nil, err
	}
	return m.Bytes(), nil
}
