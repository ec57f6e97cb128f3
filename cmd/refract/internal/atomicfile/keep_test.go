//go:build linux

package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// twoFiles returns a file with an extended attribute, and one with another.
func twoFiles(t *testing.T) (name string, temp *os.File) {
	t.Helper()
	dir := t.TempDir()
	name = filepath.Join(dir, "a")
	os.WriteFile(name, nil, 0o604)
	temp, err := os.OpenFile(filepath.Join(dir, "temp"), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { temp.Close() })
	err = errors.Join(unix.Setxattr(name, "user.refract", []byte("kept"), 0), unix.Setxattr(name, "user.same", []byte("x"), 0),
		unix.Setxattr(name, "user.other", []byte("new"), 0), unix.Setxattr(temp.Name(), "user.other", []byte("old"), 0),
		unix.Setxattr(temp.Name(), "user.more", []byte("x"), 0), unix.Setxattr(temp.Name(), "user.same", []byte("x"), 0))
	if err != nil {
		t.Skip("no extended attributes here: ", err)
	}
	return name, temp
}

func TestCopyAttributes(t *testing.T) {
	name, temp := twoFiles(t)
	err := copyAttributes(temp, name)
	all, listErr := attributes(temp)
	if err != nil || listErr != nil || string(all["user.refract"]) != "kept" || string(all["user.same"]) != "x" || string(all["user.other"]) != "new" || all["user.more"] != nil {
		t.Errorf("%q %v %v", all, err, listErr)
	}
}

// What fails is named. A value that grows while it is read is read again.
func TestAttributeErrors(t *testing.T) {
	fails := errors.New("injected fault")
	set := func(f *os.File, name string, value []byte) error { return fails }
	unset := func(f *os.File, name string) error { return fails }
	tests := []struct {
		name   string
		change func(x *xattr)
		want   string
	}{
		{"set", func(x *xattr) { x.set = set }, `its extended attribute "user.other" cannot be kept: injected fault`},
		{"remove", func(x *xattr) { x.remove = unset }, `it would gain the extended attribute "user.more": injected fault`},
		{"list", func(x *xattr) { x.list = func(*os.File, []byte) (int, error) { return -1, fails } }, "injected fault"},
		{"get", func(x *xattr) { x.get = func(*os.File, string, []byte) (int, error) { return -1, fails } }, "cannot be read: injected fault"},
		{"list of the new file", func(x *xattr) {
			list, n := x.list, 0
			x.list = func(f *os.File, b []byte) (int, error) {
				if n++; n == 3 {
					return -1, fails
				}
				return list(f, b)
			}
		}, "injected fault"},
		{"none", func(x *xattr) { x.list = func(*os.File, []byte) (int, error) { return -1, unix.ENOTSUP } }, ""},
		{"grows", func(x *xattr) {
			get, n := x.get, 0
			x.get = func(f *os.File, name string, b []byte) (int, error) {
				if n++; n == 2 {
					return -1, unix.ERANGE
				}
				return get(f, name, b)
			}
		}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			name, temp := twoFiles(t)
			was := attribute
			defer func() { attribute = was }()
			test.change(&attribute)
			err := copyAttributes(temp, name)
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
	_, temp := twoFiles(t)
	if err := copyAttributes(temp, "none"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// A value that becomes empty while it is read is empty.
func TestShrinkingValue(t *testing.T) {
	n := 0
	value, err := sized(func([]byte) (int, error) { n++; return 5 * (n % 2), nil })
	if err != nil || len(value) != 0 {
		t.Errorf("%q, %v", value, err)
	}
}

// A file whose owner, group or mode would change is not replaced.
func TestKeeps(t *testing.T) {
	name, temp := twoFiles(t)
	info, _ := os.Stat(name)
	if err := keeps(temp, info); !errors.Is(err, errOwner) {
		t.Error(err)
	}
	temp.Chmod(0o604)
	if err := keeps(temp, info); err != nil {
		t.Error(err)
	}
	if os.Geteuid() == 0 {
		for _, owner := range [][2]int{{1234, -1}, {0, 5678}} {
			os.Chown(temp.Name(), owner[0], owner[1])
			if err := keeps(temp, info); !errors.Is(err, errOwner) {
				t.Error(owner, err)
			}
		}
		chown(temp, info)
		if err := keeps(temp, info); err != nil {
			t.Error(err)
		}
	}
	if Links(name, info) != 1 {
		t.Errorf("%d links", Links(name, info))
	}
	os.Link(name, name+"2")
	info, _ = os.Stat(name)
	if Links(name, info) != 2 {
		t.Errorf("%d links", Links(name, info))
	}
	temp.Close()
	if err := keeps(temp, info); err == nil {
		t.Error("a closed file keeps all")
	}
}
