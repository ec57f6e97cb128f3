package output

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMailFlags(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(".mh_sequences", "cur: 2\nunseen: 1 3-5 x 9-7\nbad name: 1\nnone\nempty:\r\n")
	var many strings.Builder
	for i := range 3 * maxRanges {
		fmt.Fprintf(&many, " %d", 2*i+1)
	}
	other := filepath.Join(dir, "many")
	if err := os.Mkdir(other, 0o777); err != nil {
		t.Fatal(err)
	}
	write("many/.mh_sequences", "odd:"+many.String()+"\n")
	var flags FlagReader
	for _, tt := range []struct{ name, want string }{
		{"a/cur/1234.x:2,FS", "FS"},
		{"a/cur/1234.x:2,", ""},
		{"a/cur/1234.x!2,RSab", "RSab"},
		{"a/new/1234.x;2,T", "T"},
		{"a/cur/1234.x:2,F:2,S", "S"},
		{"a/cur/1234.x:1,F", ""},
		{"a/cur/1234.x:2,F S", ""},
		{"a/b/1234.x:2,FS", ""},
		{"cur", ""},
		{"", ""},
		{dir + "/1", "unseen"},
		{dir + "/2", "cur"},
		{dir + "/4", "unseen"},
		{dir + "/8", ""},
		{dir + "/01", ""},
		{dir + "/1x", ""},
		{dir + "/none/1", ""},
		{other + "/1", "odd"},
		{other + "/2", ""},
		{other + "/59999", ""},
	} {
		if got := flags.flagsOf(filepath.FromSlash(tt.name)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
