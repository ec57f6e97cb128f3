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
)

// maxKnown limits the URLs of --known, which take 8 bytes each.
const maxKnown = 8 << 20

// parseJoin parses the value of --join.
func parseJoin(s string) (extract.Join, error) {
	if i := slices.Index(joinValues, s); i >= 0 {
		return extract.Join(i), nil
	}
	return 0, cli.BadValue("--join", s, joinValues)
}

// readKnown reads the URLs of --known: the first words of the lines of a file that contain "://". What a tab follows is left out.
func readKnown(name string) (has func(url []byte) bool, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("--known: %w", err)
	}
	defer f.Close()
	seed := maphash.MakeSeed()
	var hashes []uint64
	lines := bufio.NewScanner(f)
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
