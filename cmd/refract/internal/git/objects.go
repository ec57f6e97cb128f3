package git

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
)

// objects reads objects of a repository through one process of git, which begins with the first object. Its
// methods may be called by several goroutines at a time.
type objects struct {
	dir string
	env []string

	mu     sync.Mutex
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	errs   bytes.Buffer
	failed error // nothing can be read any more
}

// newObjects returns the objects of the repository in dir. env is as in [Command].
func newObjects(dir string, env []string) *objects { return &objects{dir: dir, env: env} }

// output runs git in the repository, as [Output] does.
func (o *objects) output(args ...string) (string, error) { return Output(o.dir, o.env, args...) }

// errMissing is the error for an object that the repository does not have, as in a partial clone.
var errMissing = errors.New("is missing")

// blob calls take with the size and the content of the blob with a name, such as its hash, which must have
// no newline. take need not read all of it. The error says that there is no such blob here, or is that of
// take.
func (o *objects) blob(name string, take func(size int64, content io.Reader) error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.cmd == nil && o.failed == nil {
		o.failed = o.start()
	}
	if o.failed != nil {
		return o.failed
	}
	if _, err := io.WriteString(o.in, name+"\n"); err != nil {
		return o.fail(name, err)
	}
	header, err := o.out.ReadString('\n') // "<hash> blob <size>", or "<name> missing", where the name may have spaces
	if err == nil && strings.TrimSpace(header) == "" {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return o.fail(name, err)
	}
	fields := strings.Fields(header)
	size, err := strconv.ParseInt(fields[len(fields)-1], 10, 64)
	if err != nil || len(fields) != 3 {
		return fmt.Errorf("git: object %s %w", name, errMissing)
	}
	content := io.LimitReader(o.out, size)
	wrong := fmt.Errorf("git: object %s is no file", name)
	if fields[1] == "blob" {
		wrong = take(size, content)
	}
	if _, err := io.Copy(io.Discard, content); err != nil {
		return o.fail(name, err)
	}
	if _, err := o.out.ReadByte(); err != nil { // the newline behind it
		return o.fail(name, err)
	}
	return wrong
}

// start starts git.
func (o *objects) start() (err error) {
	cmd := Command(o.dir, o.env, "cat-file", "--batch")
	cmd.Stderr = &o.errs
	o.in, err = cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	o.cmd, o.out = cmd, bufio.NewReaderSize(out, 64<<10)
	if err := cmd.Start(); err != nil {
		o.cmd = nil
		return err
	}
	return nil
}

// fail ends git, and returns its message about an object.
func (o *objects) fail(name string, err error) error {
	o.end() // its message is complete
	if message := strings.Join(strings.Fields(o.errs.String()), " "); message != "" {
		err = fmt.Errorf("%s", message)
	}
	o.failed = fmt.Errorf("git: object %s: %w", name, err)
	return o.failed
}

// Close ends git.
func (o *objects) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.cmd != nil {
		o.end()
	}
}

// end ends the process. It may be about to write what nobody reads.
func (o *objects) end() {
	o.in.Close()
	o.cmd.Process.Kill()
	o.cmd.Wait()
	o.cmd = nil
}
