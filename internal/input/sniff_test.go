package input

import (
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// A device that says it has sought, and has not.
type device struct {
	io.Reader
	fs.FileInfo
}

func (d device) Stat() (fs.FileInfo, error)         { return d, nil }
func (d device) Mode() fs.FileMode                  { return fs.ModeDevice | fs.ModeCharDevice }
func (d device) Close() error                       { return nil }
func (d device) Seek(int64, int) (n int64, _ error) { return 0, nil }

// What has been read of a device to find its format is not lost.
func TestSniffDevice(t *testing.T) {
	info, err := fs.Stat(fstest.MapFS{"a": {}}, "a")
	if err != nil {
		t.Fatal(err)
	}
	d := device{strings.NewReader("all of the text"), info}
	r, err := sniff("a", d, d, formats)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(r); string(got) != "all of the text" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// The line of a news batch has to end within its limit.
func TestBatchLine(t *testing.T) {
	for head, want := range map[string]int{"#! cunbatch\nx": 12, "#! gunbatch\n": 12, "#! cunbatch": 0, "#! unbatched\n": 0, "#!\n": 0, "# cunbatch\n": 0, "#!" + strings.Repeat(" ", maxBatchLine) + "cunbatch\n": 0} {
		if got := batchLine([]byte(head)); got != want {
			t.Errorf("%.20q: %d, want %d", head, got, want)
		}
	}
}
