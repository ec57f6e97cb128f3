package searchcmd

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/internal/input"
	"example.org/refract/internal/testing/cmdtest"
	"example.org/refract/internal/testing/scantest"
)

// manyDocuments writes documents with references: small ones, which are read in groups, and large ones,
// which are split into pieces.
func manyDocuments(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(7, 8))
	for i := range 300 {
		var b bytes.Buffer
		n := 50
		if i%40 == 7 {
			n = 12000
		}
		for j := range n {
			fmt.Fprintf(&b, "see http://example.org/%d/%d and www.example%d.org/x, too\n", i, j, r.IntN(50))
		}
		name := filepath.Join(dir, fmt.Sprintf("d%d", i%7), fmt.Sprintf("%03d.txt", i))
		os.MkdirAll(filepath.Dir(name), 0o777)
		if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A run that is killed repeatedly at random moments produces the same output as one that is not,
// byte for byte.
func TestCheckpoint(t *testing.T) {
	scantest.Long(t, "kills many runs at random moments")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), "refract")
	if err := os.Symlink(self, bin); err != nil {
		t.Skip(err)
	}
	dir := manyDocuments(t)
	t.Chdir(dir)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	// Of the last ones, most keys do not fit into the memory.
	forms := [][]string{{"--json"}, {"--edges"}, {"--unique", "--memory", "256K"}, {"--count", "url", "--memory", "256K"}}
	whole := make([][]byte, len(forms))
	times := make([]time.Duration, len(forms)) // what an undisturbed run takes here: a kill comes within it
	for i, form := range forms {
		begin := time.Now()
		var err error
		whole[i], err = exec.Command(bin, append(form, "-q", ".")...).Output()
		if err != nil {
			t.Fatal(err)
		}
		times[i] = time.Since(begin)
	}
	kills, resumed := 0, 0
	for round := 0; round < len(forms) || kills < 20 || resumed < 10; round++ {
		i := round % len(forms)
		form, whole, takes := forms[i], whole[i], times[i]
		// The run writes all its files into the tree that it reads.
		args := append([]string{"-q", "-o", "out.txt", "--checkpoint", "state.txt", "."}, form...)
		wasEnding := false // killed when all was done but to remove the lock, which harms nothing
		for kill := true; kill; {
			cmd := exec.Command(bin, args...)
			cmd.Stderr = os.Stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 1)
			go func() { done <- cmd.Wait() }()
			select {
			case err := <-done:
				if err != nil {
					t.Fatal(form, err)
				}
				kill = false
			case <-time.After(takes/4 + time.Duration(r.Int64N(int64(takes)))):
				cmd.Process.Kill()
				<-done
				if kills++; kills > 500 {
					t.Fatal("it never ends")
				}
				if _, err := os.Stat("out.txt"); err == nil {
					kill = false // killed after its end; the next run would start over
					wasEnding = true
					if _, err := os.Stat("state.txt"); err == nil {
						if out, err := exec.Command(bin, args...).CombinedOutput(); err != nil {
							t.Fatalf("%v %s", err, out)
						}
					}
				} else if text, err := os.ReadFile("state.txt"); err == nil && !bytes.Contains(text, []byte(`"inputs":0,`)) {
					resumed++
				}
			}
		}
		got, err := os.ReadFile("out.txt")
		if err != nil || !bytes.Equal(got, whole) {
			t.Fatalf("%s: %d bytes, want %d: %v", form, len(got), len(whole), err)
		}
		os.Remove("out.txt")
		for _, e := range cmdtest.Entries(t, ".") {
			if !strings.HasPrefix(e, "d") {
				os.Remove(e)
				if wasEnding && strings.HasSuffix(e, ".lock") {
					continue
				}
				t.Errorf("%s is left", e)
			}
		}
	}
	t.Logf("%d kills, %d of them with something to go on from", kills, resumed)
}

// What comes after the pieces of a large file says that they are complete, or the next run would read the file again.
func TestMarkAfterPieces(t *testing.T) {
	name := filepath.Join(t.TempDir(), "large.txt")
	if err := os.WriteFile(name, bytes.Repeat([]byte("see http://a.example/\n"), smallFile/10), 0o666); err != nil {
		t.Fatal(err)
	}
	s := &search{jobs: 1, checkpoint: new(checkpoint)}
	var last mark
	pieces := 0
	p := producer{search: s, group: new(job), emit: func(j *job) error {
		if j.piece != nil {
			pieces++
			j.piece.Release()
		}
		last = j.ends
		return nil
	}}
	if err := p.add(input.File{Name: name, Path: name, Named: true}, nil); err != nil {
		t.Fatal(err)
	}
	if pieces == 0 || last.Inputs != 1 || last != p.at {
		t.Errorf("%d pieces, the last of them ends %+v, want %+v", pieces, last, p.at)
	}
}

// A run only continues its own checkpoint and output.
func TestCheckpointOther(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for i := range 5 {
		os.WriteFile(fmt.Sprint(i, ".txt"), fmt.Appendf(nil, "http://h/%d\n", i), 0o666)
	}
	args := []string{"-o", "out", "--checkpoint", "state", "."}
	try := func(want string, args ...string) {
		t.Helper()
		var out, errs bytes.Buffer
		code := runSearch(args, &out, &errs)
		if want == "" && code != 0 || want != "" && (code != cli.ExitFailed || !strings.Contains(errs.String(), want)) {
			t.Errorf("%v: %d %s%s", args, code, out.String(), errs.String())
		}
	}
	// begin restores the state in the middle of a run.
	begin := func(change func(*state)) {
		t.Helper()
		for _, name := range cmdtest.Entries(t, ".") {
			if !strings.HasSuffix(name, ".txt") {
				os.Remove(name)
			}
		}
		interrupted(t, args, change)
	}
	same := func(*state) {}
	begin(same)
	try("belongs to a run with other flags", append([]string{"-n"}, args...)...)
	try("belongs to a run with other flags", "-o", "out", "--checkpoint", "state", "0.txt")
	try("", args...)
	if got, _ := os.ReadFile("out"); string(got) != "http://h/0\nhttp://h/1\nhttp://h/2\nhttp://h/3\nhttp://h/4\n" {
		t.Errorf("%q", got)
	}
	// A run whose output only lacks its name reports its counts again, and keeps link and mode.
	begin(func(s *state) { s.Complete, s.Total.Errors, s.Total.Skipped = true, 1, 2 })
	var out, errs bytes.Buffer
	if code := runSearch(args, &out, &errs); code != cli.ExitFailed {
		t.Errorf("%d %s", code, errs.String())
	}
	if _, err := os.Stat("out"); err != nil {
		t.Error(err)
	}
	begin(same)
	os.WriteFile("1.txt", []byte("http://other/"), 0o666)
	try("the inputs have changed", args...)
	begin(same)
	for i := range 5 {
		os.Remove(fmt.Sprint(i, ".txt"))
	}
	try("inputs have disappeared", args...)
	os.WriteFile("state", []byte("{"), 0o666)
	try("not a checkpoint of this version", args...)
	try("-o FILE", "--checkpoint", "state", ".")
	try("standard input", "--checkpoint", "state", "-o", "out", "-")
}

// interrupted creates, in the working directory, the files that a run with these arguments leaves
// when it is interrupted after two inputs.
func interrupted(t *testing.T, args []string, change func(*state)) {
	t.Helper()
	root, _ := Command(nil, nil)
	root.ParseFlags(args)
	c, _, err := openCheckpoint("state", "out", runOf(root.Command, []string{"."}), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Discard()
	var at mark
	for file, err := range new(inputs).files([]string{"."}) {
		if at.Inputs < 2 && !c.isOwn(file) {
			at = at.next(file, err)
		}
	}
	c.Write([]byte("http://h/0\nhttp://h/1\n"))
	c.state.Mark = at
	change(&c.state)
	if err := c.save(&output.Counts{Inputs: 2, References: 2, Errors: c.state.Total.Errors, Skipped: c.state.Total.Skipped}); err != nil {
		t.Fatal(err)
	}
	c.Write([]byte("http://h/2 half"))
}

// The files that a run writes are its own, by any name, and no others.
func TestIsOwn(t *testing.T) {
	t.Chdir(t.TempDir())
	root, _ := Command(nil, nil)
	args := []string{"--unique", "--checkpoint", "state", "--output", "out"}
	root.ParseFlags(args)
	c, _, err := openCheckpoint("state", "out", runOf(root.Command, []string{"."}), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Discard()
	for path, want := range map[string]bool{"state": true, "./state": true, "out": true, c.keysPath(): true, c.lock.Name(): true, "sub/out": false, "out.txt": false, ".": false} {
		if got := c.isOwn(input.File{Path: path}); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

// A flipped bit in the checkpoint or in the output so far never points to wrong output.
func TestCheckpointDamage(t *testing.T) {
	t.Chdir(t.TempDir())
	want := ""
	for i := range 5 {
		os.WriteFile(fmt.Sprint(i, ".txt"), fmt.Appendf(nil, "http://h/%d\n", i), 0o666)
		want += fmt.Sprintf("http://h/%d\n", i)
	}
	args := []string{"-o", "out", "--checkpoint", "state", "."}
	r := rand.New(rand.NewPCG(1, 2))
	refused := 0
	n := scantest.Amount(50, 400)
	for i := range n {
		for _, name := range cmdtest.Entries(t, ".") {
			if !strings.HasSuffix(name, ".txt") {
				os.Remove(name)
			}
		}
		interrupted(t, args, func(*state) {})
		name := "state"
		if i%2 == 1 {
			for _, e := range cmdtest.Entries(t, ".") {
				if strings.HasSuffix(e, ".part") {
					name = e
				}
			}
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		bit := r.IntN(8 * len(text))
		text[bit/8] ^= 1 << (bit % 8)
		os.WriteFile(name, text, 0o666)
		var out, errs bytes.Buffer
		code := runSearch(args, &out, &errs)
		got, err := os.ReadFile("out")
		switch {
		case code == cli.ExitOK && string(got) != want:
			t.Errorf("bit %d of %s: %q", bit, name, got)
		case code == cli.ExitOK:
		case err == nil:
			t.Errorf("bit %d of %s: it fails, and there is an output", bit, name)
		default:
			refused++
		}
	}
	if refused < n/2 {
		t.Errorf("%d of %d are noticed", refused, n)
	}
}

// Two runs never write to one checkpoint, and a run never writes to a file that it has not made.
func TestCheckpointRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	os.WriteFile("a.txt", []byte("http://h/\n"), 0o666)
	refused := func(want string, args ...string) {
		t.Helper()
		var out, errs bytes.Buffer
		if code := runSearch(args, &out, &errs); code != cli.ExitFailed || !strings.Contains(errs.String(), want) {
			t.Errorf("%v: %d %s", args, code, errs.String())
		}
	}
	args := []string{"-o", "out", "--checkpoint", "state", "."}
	c, _, err := openCheckpoint("state", "out", "x", nil)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" {
		refused("it is in use by another run", args...)
	}
	part := c.part
	c.Discard()
	// A link in place of the output so far is not followed.
	os.Remove(part)
	os.WriteFile("precious", []byte("precious"), 0o666)
	if os.Symlink("precious", part) == nil {
		if code := runSearch(args, io.Discard, io.Discard); code != cli.ExitOK {
			t.Error(code)
		}
	}
	for name, text := range map[string]string{"precious": "precious", "out": "http://h/\n"} {
		if got, _ := os.ReadFile(name); string(got) != text {
			t.Errorf("%s: %q", name, got)
		}
	}
	os.Remove("out")
	for _, name := range []string{"out.part", "state.part", "a.md"} {
		os.WriteFile(name, []byte("precious"), 0o666)
	}
	refused("not a checkpoint", "-o", "out", "--checkpoint", "precious", "a.txt")
	refused("name the same file: give two", "-o", "out", "--checkpoint", "a.txt", "a.txt")
	refused("name the same file: give two", "-o", "out", "--checkpoint", "out", "a.txt")
	refused("not written by refract", "-o", "a.md", "--checkpoint", "state", "a.txt")
	runSearch([]string{"-o", "out", "--checkpoint", "state", "a.txt"}, io.Discard, io.Discard)
	for _, name := range []string{"out.part", "state.part", "a.md", "precious"} {
		if got, _ := os.ReadFile(name); string(got) != "precious" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// The range of an input is part of its identity.
func TestMarkTellsRanges(t *testing.T) {
	whole := mark{}.next(input.File{Name: "a"}, nil)
	for _, file := range []input.File{{Name: "a", Range: "5:"}, {Name: "a", URL: "http://h/"}, {Name: "a", Path: "b"}} {
		if (mark{}).next(file, nil) == whole {
			t.Errorf("%+v is not told from another", file)
		}
	}
}
