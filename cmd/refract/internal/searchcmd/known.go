package searchcmd

import (
	"bufio"
	"bytes"
	"fmt"
	"hash/maphash"
	"os"
	"slices"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/extract"
	"example.org/refract/internal/input"
)

// maxKnown limits the URLs of --known, which take 8 bytes each.
const maxKnown = 8 << 20

// parseJoin parses the value of --join.
func parseJoin(s string) (extract.Join, error) {
	if s == joinArchive {
		return extract.JoinProven, nil
	}
	if i := slices.Index(joinValues, s); i >= 0 {
		return extract.Join(i), nil
	}
	return 0, cli.BadValue("--join", s, joinValues)
}

// readKnown reads the URLs of --known: the first words of the lines of a file that contain "://". What a
// tab follows is left out.
func readKnown(name string) (has func(url []byte) bool, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("--known: %w", err)
	}
	defer f.Close()
	seed := maphash.MakeSeed()
	var hashes []uint64
	lines := bufio.NewScanner(input.UTF8(f))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		url, _, _ := bytes.Cut(bytes.TrimSpace(lines.Bytes()), []byte{'\t'})
		if !bytes.Contains(url, []byte("://")) {
			continue
		}
		if len(hashes) == maxKnown {
			return nil, fmt.Errorf("--known %s: more than %d URLs", name, maxKnown)
		}
		hashes = append(hashes, maphash.Bytes(seed, url))
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("--known %s: %w", name, err)
	}
	slices.Sort(hashes)
	return func(url []byte) bool {
		_, ok := slices.BinarySearch(hashes, maphash.Bytes(seed, url))
		return ok
	}, nil
}

// joinArchive is the value of --join that reads the inputs twice.
const joinArchive = "archive"

// gather reads the inputs of args for --join archive, as evidence for the run. Errors are reported when
// they are read again.
func (s *search) gather(args []string) error {
	urls := new(extract.URLs)
	join := s.cfg.Join
	s.cfg.Join, s.cfg.Gather = extract.JoinNever, urls
	read := func(piece *extract.Batch) {
		for range piece.References() {
		}
	}
	err := extract.Parallel(max(s.jobs, 1), s.tasks(args),
		func(t *extract.Task[*job], _ func(struct{}) bool) {
			if t.Value.piece != nil {
				read(t.Value.piece)
			}
			for _, file := range t.Value.group {
				r, err := input.Open(file.Path)
				if err != nil {
					continue
				}
				for piece, err := range s.config(file).Batches(input.Inner(file.Name), r) {
					if err == nil {
						read(piece)
						piece.Release()
					}
				}
				r.Close()
			}
		},
		func(*extract.Task[*job], struct{}) error { return nil },
		func(*extract.Task[*job]) error { return nil })
	if urls.IsFull() {
		return fmt.Errorf("--join archive: the inputs have more than %d URLs: use --join proven", extract.MaxURLs)
	}
	s.cfg.Join, s.cfg.Gather, s.cfg.Gathered = join, nil, urls
	return err
}
