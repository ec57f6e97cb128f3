package searchcmd

import (
	"bufio"
	"io"
	"strings"
	"testing"
)

// A line that is too long does not reach into the next.
func TestReadName(t *testing.T) {
	long := strings.Repeat("x", 40)
	r := bufio.NewReaderSize(strings.NewReader("a\n"+long+"\nb\n"+long), 16)
	for _, want := range []struct {
		line    string
		tooLong bool
		err     error
	}{{"a\n", false, nil}, {long[:16], true, nil}, {"b\n", false, nil}, {long[:16], true, io.EOF}} {
		line, tooLong, err := readName(r)
		if line != want.line || tooLong != want.tooLong || err != want.err {
			t.Errorf("%q %v %v, want %q %v %v", line, tooLong, err, want.line, want.tooLong, want.err)
		}
	}
}
