package git

import (
	"errors"
	"io"
	"strings"
)

// A Commit is a commit of the repository in which the process runs, with the changes of the work tree since
// then.
type Commit struct {
	Top     string            // the top directory of the repository
	Changed map[string]bool   // files that are new, gone or different; those of renamed files are there before and after
	Renamed map[string]string // present names by the former ones

	id      string
	objects *objects
}

// CommitOf returns the commit of a revision, or the one where HEAD branched off from it.
func CommitOf(rev string) (*Commit, error) {
	top, err := Output("", nil, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	top = strings.TrimSuffix(top, "\n")
	id, err := Output(top, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return nil, errors.New("no such revision (CI clones are often shallow: fetch the history)")
	}
	id = strings.TrimSpace(id)
	if fork, err := Output(top, nil, "merge-base", id, "HEAD"); err == nil {
		id = strings.TrimSpace(fork)
	}
	c := &Commit{Top: top, Changed: map[string]bool{}, Renamed: map[string]string{}, id: id, objects: newObjects(top, nil)}
	return c, c.compare()
}

// compare compares the work tree with the commit.
func (c *Commit) compare() error {
	// Git would look into submodules with their own configuration, and without the settings of this package.
	out, err := Output(c.Top, NoFilters(c.Top, nil), "diff", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all",
		"--name-status", "-z", "--find-renames", c.id, "--")
	if err != nil {
		return err
	}
	for fields := strings.Split(out, "\x00"); len(fields) >= 2; fields = fields[2:] {
		status, name := fields[0], fields[1]
		c.Changed[name] = true
		if strings.HasPrefix(status, "R") && len(fields) >= 3 {
			c.Changed[fields[2]], c.Renamed[name] = true, fields[2]
			fields = fields[1:]
		}
	}
	return nil
}

// Blob calls take with the size and the content of a file of the commit, whose path must have no newline.
// take need not read all of it. The error says that there is no such file, or is that of take.
func (c *Commit) Blob(rel string, take func(size int64, content io.Reader) error) error {
	return c.objects.blob(c.id+":"+rel, take)
}

// Close ends the process that reads the files of the commit.
func (c *Commit) Close() { c.objects.close() }
