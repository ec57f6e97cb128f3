package source_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/klauspost/compress/zstd"

	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/extract/source"
	"example.org/refract/internal/input"
	"example.org/refract/internal/testing/scantest"
)

// A crawled is an archive of a crawler with a member for each record.
type crawled struct {
	name string
	file []byte
	at   []int    // where members begin, and where the last one ends
	urls []string // of the records; "": a member without one
}

// crawls returns archives of all kinds.
func crawls(t *testing.T) (list []crawled) {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	zst := func(texts ...string) string { return string(z.EncodeAll([]byte(strings.Join(texts, "")), nil)) }
	for _, kind := range []struct {
		name string
		pack func(...string) string
	}{{"a.warc.gz", packed}, {"a.warc.zst", zst}, {"a.arc.gz", packed}} {
		c := crawled{name: kind.name}
		add := func(url, text string) {
			c.at, c.urls = append(c.at, len(c.file)), append(c.urls, url)
			c.file = append(c.file, kind.pack(text)...)
		}
		isARC := strings.Contains(kind.name, ".arc")
		if isARC {
			add("", "filedesc://a.arc 0.0.0.0 20240101000000 text/plain 69\n1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n\n")
		}
		for i := range 4 {
			url := fmt.Sprintf("http://h%d.example/", i)
			page := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=a%d>\n<a href=b%d>\n<p>%s", i, i, strings.Repeat(fmt.Sprint(i*7919), 10))
			head := fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n", url, len(page))
			if isARC {
				head = fmt.Sprintf("%s 192.0.2.1 20240101000000 text/html %d\n", url, len(page))
			}
			add(url, head+page+"\r\n\r\n")
		}
		c.at = append(c.at, len(c.file))
		list = append(list, c)
	}
	return list
}

// A walk is what a walk of an archive finds.
type walk struct {
	links   map[string][]string // by the base that applied
	damaged map[string]bool     // the targets of records that are said to be damaged
	offsets []int64             // of all damage
	err     error
}

func walkCrawl(t *testing.T, name string, data []byte) (w walk) {
	t.Helper()
	o := source.Options{FS: fstest.MapFS{name: {Data: data}}}
	w.links, w.damaged = map[string][]string{}, map[string]bool{}
	cfg := extract.Config{Records: true, Note: func(n *extract.Note) {
		if n.Code == scan.CodeDamaged {
			w.offsets = append(w.offsets, n.Damage.Offset)
		}
	}}
	for f, err := range o.Files(name) {
		if err != nil {
			t.Fatal(err)
		}
		for ref, err := range f.Walk(cfg) {
			var damaged *input.DamagedError
			switch {
			case errors.As(err, &damaged):
				for at := range damaged.Untold() {
					w.offsets = append(w.offsets, at.Offset)
				}
				w.err = err
			case err != nil:
				w.err = err
			default:
				w.links[ref.Base.URI] = append(w.links[ref.Base.URI], string(ref.URL))
				if r := ref.Record(); r != nil && r.Damaged != "" {
					w.damaged[r.Target] = true
				}
			}
		}
	}
	return w
}

// Whatever byte of an archive is wrong: no record but the one to which it belongs loses a link or gets one, only that record is called
// damaged, and the first damage is where its member begins.
func TestDamagedByte(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	step := 5
	if scantest.IsLong() {
		step = 1
	}
	for _, c := range crawls(t) {
		whole := walkCrawl(t, c.name, c.file)
		if len(whole.links) != 4 || whole.err != nil || len(whole.offsets)+len(whole.damaged) > 0 {
			t.Fatalf("%s: %v", c.name, whole)
		}
		named := 0
		for i := 0; i < len(c.file); i += step {
			data := bytes.Clone(c.file)
			data[i] ^= byte(1 + r.IntN(255))
			got := walkCrawl(t, c.name, data)
			k := 0
			for i >= c.at[k+1] {
				k++
			}
			for base, links := range whole.links {
				if base != c.urls[k] && !slices.Equal(links, got.links[base]) {
					t.Errorf("%s: byte %d of %s: %s has the links %q", c.name, i-c.at[k], c.urls[k], base, got.links[base])
				}
			}
			for target := range got.damaged {
				if slices.Contains(c.urls, target) && target != c.urls[k] {
					t.Errorf("%s: byte %d of %s: %s is called damaged", c.name, i-c.at[k], c.urls[k], target)
				}
			}
			isSame := maps.EqualFunc(whole.links, got.links, slices.Equal)
			if len(got.offsets) == 0 && (!isSame || got.err != nil) || len(got.offsets) > 0 && got.offsets[0] != int64(c.at[k]) {
				t.Errorf("%s: byte %d of %s, at %d: damage at %d, %v", c.name, i-c.at[k], c.urls[k], c.at[k], got.offsets, got.err)
			}
			if got.damaged[c.urls[k]] {
				named++
			}
		}
		t.Logf("%s: %d bytes, the record is named for %d", c.name, len(c.file)/step, named)
		if named == 0 && !strings.Contains(c.name, ".zst") { // a frame of one block is read whole, or not at all
			t.Errorf("%s: no record is called damaged", c.name)
		}
	}
}
