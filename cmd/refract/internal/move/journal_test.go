package move

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"example.org/refract/cmd/refract/internal/atomicfile"
	"example.org/refract/cmd/refract/internal/atomicfile/faulttest"
)

// texts returns the texts of the files of the tree, by name.
func (t *diskTree) texts() map[string]string {
	all := map[string]string{}
	for _, name := range t.names() {
		text, _ := os.ReadFile(filepath.Join(t.Root, name))
		all[name] = string(text)
	}
	return all
}

var (
	faultTree = map[string]string{"d/a.md": "# A\n\n[b](../b.md)\n", "b.md": "# B\n\n[a](d/a.md#a)\n"}
	movedTree = map[string]string{"e/f/a.md": "# A\n\n[b](../../b.md)\n", "b.md": "# B\n\n[a](e/f/a.md#a)\n"}
)

// faulty returns a tree and a plan for it.
func faulty(t *testing.T) (*diskTree, *Plan) {
	tree := onDisk(t, faultTree)
	tree.Git = false
	return tree, tree.planned(t, "d/a.md", "e/f/a.md")
}

// state says which texts the tree has, and whether it has a journal.
func (t *diskTree) state() string {
	entry, result := t.texts(), "between"
	_, err := os.Lstat(filepath.Join(t.Root, journalName))
	maps.DeleteFunc(entry, func(name, _ string) bool { return strings.HasPrefix(name, journalName) })
	switch {
	case maps.Equal(entry, faultTree):
		result = "old"
	case maps.Equal(entry, movedTree):
		result = "new"
	}
	if err == nil {
		result += " with a journal"
	}
	return result
}

// recovered returns the state that the next run makes. It never is between the old and the new one.
func (t *diskTree) recovered(tb testing.TB) string {
	tb.Helper()
	found, isSame, err := t.recover([]string{"d/a.md", "e/f/a.md"})
	if err != nil || found != isSame {
		tb.Error(found, isSame, err)
	}
	state := t.state()
	if state != "old" && state != "new" || found && state != "new" {
		tb.Errorf("after recovery: %s %v", state, found)
	}
	return state
}

// What a failure of each call of a move results in, and what the next run makes of it.
func TestApplyFaults(t *testing.T) {
	for _, killed := range []bool{false, true} {
		table := faulttest.Each(t, killed, func(f *faulttest.Fault) string {
			tree, plan := faulty(t)
			err := f.Do(func() error { return tree.apply(plan, []string{"d/a.md", "e/f/a.md"}) })
			result := tree.state()
			if err != nil {
				result += ", error"
				if !errors.Is(err, faulttest.Err) && !strings.Contains(err.Error(), "no temporary file could be made") {
					t.Error(err)
				}
			}
			isDecided := strings.HasPrefix(result, "between") || err != nil && strings.Contains(err.Error(), "run the command again")
			if err == nil && !strings.HasPrefix(result, "new") || err != nil && !isDecided && !strings.HasPrefix(result, "old") {
				t.Errorf("%s: %v", result, err)
			}
			if now := tree.recovered(t); !strings.HasPrefix(result, now) || result != now && result != now+", error" {
				result += "; recovered: " + now
			}
			return result
		})
		if killed {
			continue // each line but the first ones says that there is a journal, and what it was recovered to
		}
		table = regexp.MustCompile(` \d{3}:`).ReplaceAllString(table, " root:")
		if table != applyFaults && runtime.GOOS == "linux" {
			t.Errorf("got\n%swant\n%s", table, applyFaults)
		}
	}
}

// A recovery that fails is followed by another one.
func TestRecoverFaults(t *testing.T) {
	for _, killed := range []bool{false, true} {
		faulttest.Each(t, killed, func(f *faulttest.Fault) string {
			tree, plan := faulty(t)
			j, err := openJournal(tree.Root)
			if err != nil {
				t.Fatal(err)
			}
			r, err := tree.record(plan, []string{"d/a.md", "e/f/a.md"})
			if err == nil {
				err = j.write(r, plan.Files)
			}
			j.close()
			if err != nil || tree.state() != "old with a journal" {
				t.Fatal(err, tree.state())
			}
			err = f.Do(func() error {
				_, _, err := tree.recover(nil)
				return err
			})
			if err == nil && tree.texts()["b.md"] != movedTree["b.md"] {
				t.Error(tree.texts())
			}
			if tree.recovered(t) != "new" {
				t.Errorf("%v: %s", err, tree.state())
			}
			return ""
		})
	}
}

// A journal that cannot be carried out says why, and stays.
func TestJournalErrors(t *testing.T) {
	tests := []struct {
		name   string
		change func(root string)
		want   string
	}{
		{"edited since", func(root string) { os.WriteFile(filepath.Join(root, "b.md"), []byte("# C\n"), 0o666) }, "b.md has changed since the move began"},
		{"removed since", func(root string) { os.Remove(filepath.Join(root, "b.md")) }, "no such file"},
		{"both names", func(root string) {
			os.MkdirAll(filepath.Join(root, "e", "f"), 0o777)
			os.WriteFile(filepath.Join(root, "e", "f", "a.md"), nil, 0o666)
		}, "a.md: file already exists"},
		{"no name", func(root string) { os.Rename(filepath.Join(root, "d", "a.md"), filepath.Join(root, "c.md")) }, "no such file"},
		{"a later version", func(root string) {
			os.WriteFile(filepath.Join(root, journalName, planName), []byte(`{"Version":2}`), 0o666)
		}, "was not written by this version of refract"},
		{"damaged", func(root string) {
			os.WriteFile(filepath.Join(root, journalName, planName), []byte(`{"Version":1`), 0o666)
		}, "was not written by this version of refract"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if runtime.GOOS == "windows" {
				t.Skip("the messages are those of Unix")
			}
			tree, plan := faulty(t)
			j, _ := openJournal(tree.Root)
			r, err := tree.record(plan, nil)
			if err == nil {
				err = j.write(r, plan.Files)
			}
			if err != nil {
				t.Fatal(err)
			}
			j.close()
			test.change(tree.Root)
			found, isSame, err := tree.recover(nil)
			if found == strings.HasPrefix(test.want, "was not written") || isSame != found || err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
			if _, err := os.Lstat(filepath.Join(tree.Root, journalName, planName)); err != nil {
				t.Error("the plan is gone")
			}
			if err := tree.apply(plan, nil); err == nil {
				t.Error("another move is carried out")
			}
		})
	}
}

// A journal without a plan changes nothing, and is removed.
func TestJournalWithoutPlan(t *testing.T) {
	tree, plan := faulty(t)
	if found, isSame, err := tree.recover(nil); found || isSame || err != nil {
		t.Error(found, err)
	}
	j, err := openJournal(tree.Root)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(j.dir); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("%v: the texts of documents that others may not read are there for others", info.Mode())
	}
	for i := range plan.Files {
		if err := atomicfile.Prepare(j.text(i), filepath.FromSlash(plan.Files[i].Path), plan.Files[i].New); err != nil {
			t.Fatal(err)
		}
	}
	temp, err := atomicfile.CreateTemp(filepath.Join(j.dir, planName), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	temp.Close()
	if found, isSame, err := tree.recover(nil); found || isSame || err == nil || !strings.Contains(err.Error(), "in use by another run") {
		t.Error(found, isSame, err)
	}
	j.lock.Release()
	if found, isSame, err := tree.recover(nil); found || isSame || err != nil || tree.state() != "old" {
		t.Error(found, err, tree.state())
	}
}

// What has changed while the plan was written keeps it from being carried out, then and later.
func TestChangedBeforePlan(t *testing.T) {
	was := atomicfile.System
	defer func() { atomicfile.System = was }()
	for _, fails := range []bool{false, true} {
		tree, plan := faulty(t)
		atomicfile.System = was
		atomicfile.System.Rename = func(from, to string) error {
			os.WriteFile(filepath.Join(tree.Root, "b.md"), []byte("# C\n"), 0o666)
			return was.Rename(from, to)
		}
		if fails {
			atomicfile.System.Remove = func(string) error { return faulttest.Err }
		}
		err := tree.apply(plan, nil)
		if err == nil || !strings.Contains(err.Error(), "nothing was moved") || errors.Is(err, faulttest.Err) != fails {
			t.Error(err)
		}
		atomicfile.System = was
		_, _, err = tree.recover(nil)
		if (err != nil) != fails { // a plan that could not be removed is one for another text
			t.Error(err)
		}
		if text, _ := os.ReadFile(filepath.Join(tree.Root, "d", "a.md")); string(text) != faultTree["d/a.md"] {
			t.Errorf("%q", text)
		}
	}
}

// applyFaults has the calls of a move. "between" means that some steps are done.
const applyFaults = `mkdir .refract-mv: old, error
open lock: old with a journal, error; recovered: old
lock lock: new
stat lock: old with a journal, error; recovered: old
lstat lock: old with a journal, error; recovered: old
read plan: old, error
open 0: old, error
write 0: old, error
open b.md: old, error
stat b.md: old, error
copy attributes to 0: old, error
chmod 0: old, error
stat 0: old, error
close b.md: new
sync 0: old, error
close 0: old, error
open 1: old, error
write 1: old, error
open a.md: old, error
stat a.md: old, error
copy attributes to 1: old, error
chmod 1: old, error
stat 1: old, error
close a.md: new
sync 1: old, error
close 1: old, error
open temporary file: old, error
lock temporary file: new
stat temporary file: new
lstat temporary file: new
write temporary file: old, error
sync temporary file: old, error
close temporary file: old, error
rename to plan: old, error
open .refract-mv: new
sync .refract-mv: new
close .refract-mv: new
lstat 0: new
read b.md: old with a journal, error; recovered: new
lstat root: old with a journal, error; recovered: new
rename to b.md: old with a journal, error; recovered: new
open root: new
sync root: new
close root: new
open .refract-mv: new
sync .refract-mv: new
close .refract-mv: new
lstat 1: new
read a.md: between with a journal, error; recovered: new
lstat d: between with a journal, error; recovered: new
rename to a.md: between with a journal, error; recovered: new
open d: new
sync d: new
close d: new
open .refract-mv: new
sync .refract-mv: new
close .refract-mv: new
lstat a.md: between with a journal, error; recovered: new
lstat a.md: between with a journal, error; recovered: new
lstat f: between with a journal, error; recovered: new
lstat e: between with a journal, error; recovered: new
lstat root: between with a journal, error; recovered: new
mkdir e: between with a journal, error; recovered: new
open root: new
sync root: new
close root: new
mkdir f: between with a journal, error; recovered: new
open e: new
sync e: new
close e: new
rename to a.md: between with a journal, error; recovered: new
open f: new
sync f: new
close f: new
open d: new
sync d: new
close d: new
remove d: new
remove plan: new with a journal, error; recovered: new
lstat plan: new with a journal; recovered: new
remove lock: new
close lock: new
remove lock: new
remove .refract-mv: new with a journal; recovered: new
`
