package lsp

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// maxMessage is the maximum size in bytes of a message.
const maxMessage = 256 << 20

// readMessage reads one message: headers, an empty line, and as many bytes as Content-Length
// states. A missing or invalid length is an error, because the start of the next message is then
// unknown.
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
			return nil, fmt.Errorf("%q is not a header", header)
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
	var m bytes.Buffer // grows only as data arrives
	if n, err := io.CopyN(&m, r, int64(length)); err == io.EOF && n < int64(length) {
		return nil, io.ErrUnexpectedEOF
	} else if err != nil {
		return nil, err
	}
	return m.Bytes(), nil
}
