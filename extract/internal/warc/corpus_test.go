package warc

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"fmt"
	"io"
	"path"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// opened returns a file of the corpus decompressed, as far as that succeeds, and nil if its kind is
// not read.
func opened(name string, src []byte) []byte {
	var r io.Reader
	switch {
	case bytes.HasPrefix(src, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(bytes.NewReader(src))
		if err != nil {
			return nil
		}
		r = z
	case bytes.HasPrefix(src, []byte("BZh")):
		r = bzip2.NewReader(bytes.NewReader(src))
	case path.Ext(name) == ".lz4", path.Ext(name) == ".wacz":
		return nil
	default:
		return src
	}
	out, _ := io.ReadAll(r)
	return out
}

// listed reads WARC_LIST.txt: the counts of another reader for each file.
func listed(src []byte) map[string]string {
	list := make(map[string]string)
	for s := bufio.NewScanner(bytes.NewReader(src)); s.Scan(); {
		fields := strings.Fields(s.Text())
		counts := []string{}
		for _, f := range fields[2:] {
			if strings.HasPrefix(f, "WARC/") || f == "ERR" {
				break
			}
			counts = append(counts, f)
		}
		list[strings.TrimPrefix(fields[0], "./")] = strings.Join(counts, " ")
	}
	return list
}

// counted returns the counts of Splitter and Record, in the form of the list, and the irregularities.
func counted(src []byte) (counts, odd string) {
	var types [len(typeNames)]int
	n := 0
	s := Splitter{Limit: 32 << 20}
	var r Record
	names := map[Defect]string{WrongLength: "wrong", Truncated: "truncated", Cut: "cut", NotRecord: "junk"}
	for at := 0; at < len(src); {
		p, _ := s.Next(src[at:], 0, true)
		if p.Defect != NoDefect && len(bytes.Trim(src[at:at+p.End], "\r\n")) > 0 {
			odd += fmt.Sprintf(" %s %d-%d", names[p.Defect], at, at+p.End)
		}
		if p.Defect != NotRecord {
			r.Parse(src[at : at+p.End])
			types[r.Type]++
			n++
		}
		at += p.End + int(p.Skip)
	}
	list := []string{fmt.Sprint(n)}
	for _, t := range []Type{Continuation, Conversion, Metadata, Request, Resource, Response, Revisit, Other, Info} {
		name := typeNames[t]
		if t == Other {
			name = "unknown"
		}
		if types[t] > 0 {
			list = append(list, fmt.Sprintf("%s=%d", name, types[t]))
		}
	}
	return strings.Join(list, " "), odd
}

// differs holds the files for which the counts differ from WARC_LIST.txt, or that have
// irregularities.
var differs = map[string]struct{ counts, odd, why string }{
	// A whole file as one gzip member: the list was made by a reader that stops after the first record
	// or two.
	"stormcrawler/external/warc/src/test/resources/unparsable-date.warc.gz": {"3 request=1 response=1 warcinfo=1", "", "one gzip member"},
	"gowarc/testdata/warcs/good.warc.gz.open":                               {"50 response=50", "", "one gzip member"},
	"gowarc/testdata/warcs/skip-non-open.warc.gz":                           {"10 response=10", "", "one gzip member"},
	"gowarc/testdata/warcs/corrupted-mid-record.warc.gz.open":               {"12 response=12", "", "one gzip member, then what is no gzip"},
	"gowarc/testdata/warcs/corrupted-trailing-bytes.warc.gz.open":           {"30 response=30", "", "one gzip member, then what is no gzip"},
	"slyrz+warc/testdata/test.warc.gz":                                      {"10 resource=10", "", "one gzip member"},
	"pywb/sample_archive/warcs/example-bad.warc.gz.bad":                     {"6 request=2 response=2 revisit=1 warcinfo=1", "", "one gzip member"},
	"warcio/test/data/example-bad.warc.gz.bad":                              {"6 request=2 response=2 revisit=1 warcinfo=1", "", "one gzip member"},
	"warcio/test/data/example-bad-non-chunked.warc.gz":                      {"6 request=2 response=1 revisit=1 warcinfo=2", "", "one gzip member"},
	"warcio/test/data/example-wrong-chunks.warc.gz":                         {"2 request=1 response=1", "", "one gzip member"},
	"aut/src/test/resources/arc/badexample.arc.gz":                          {"6 response=5 warcinfo=1", " wrong 2369-2606 wrong 2606-2882 truncated 2882-3151", "one gzip member; lengths are wrong, and a date is null"},

	// The list does not have them.
	"slyrz+warc/testdata/test.warc.bz2":  {"10 resource=10", "", "bzip2"},
	"slyrz+warc/testdata/bench.warc.bz2": {"23 resource=23", " cut 33555938-67110370 cut 67110455-100664887 cut 134219408-167773840 cut 268437226-301991658", "bzip2, with records of more than 32 MiB"},

	// The line ends between records are missing, so the list takes the lengths for wrong.
	"ia-web-commons/src/test/resources/org/archive/format/arc/IAH-20080430204825-00000-blackbook-truncated.arc": {"9 response=8 warcinfo=1", "", "no line ends between records"},
	"webarchive-discovery/warc-indexer/src/test/resources/IAH-20080430204825-00000-blackbook-truncated.arc":     {"9 response=8 warcinfo=1", "", "no line ends between records"},

	// The same records, of which some are odd.
	"resiliparse/tests/data/clipped.warc.gz":    {"1 response=1", " truncated 0-75656", "cut off"},
	"pywb/sample_archive/warcs/bad.arc":         {"4 response=3 warcinfo=1", " wrong 0-134 wrong 134-202 wrong 262-331", "lengths of -1 and abc"},
	"warcio/test/data/bad.arc":                  {"4 response=3 warcinfo=1", " wrong 0-134 wrong 134-202 wrong 262-331", "lengths of -1 and abc"},
	"pywb/sample_archive/warcs/example.warc":    {"6 request=2 response=2 revisit=1 warcinfo=1", " wrong 4061-4771", "a length is too small"},
	"warcio/test/data/example-space-in-url.arc": {"2 response=1 warcinfo=1", " truncated 151-1873", "a length is too large"},
	"warcio/test/data/example-trunc.warc":       {"4 request=1 response=1 warcinfo=2", " wrong 1197-2566", "a length is too small"},
}

// The records of all samples are those that WARC_LIST.txt counts, except for differs. Six files are
// not read: those in LZ4, and WACZ, which is ZIP.
func TestCorpus(t *testing.T) {
	var names []string
	found := make(map[string][2]string)
	var list map[string]string
	for name, src := range scantest.Files(t, "warc.tar.xz") {
		name = strings.TrimPrefix(strings.TrimPrefix(name, "./"), "warc/")
		if name == "WARC_LIST.txt" {
			list = listed(src)
			continue
		}
		names = append(names, name)
		if text := opened(name, src); text != nil {
			counts, odd := counted(text)
			found[name] = [2]string{counts, odd}
		}
	}
	if len(names) != 112 || len(list) != 112 || len(found) != 106 {
		t.Errorf("%d files, %d listed, %d read", len(names), len(list), len(found))
	}
	seen := 0
	for name, got := range found {
		want := [2]string{list[name], ""}
		for end, d := range differs {
			if strings.HasSuffix(name, end) {
				seen++
				want = [2]string{d.counts, d.odd}
			}
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if seen != len(differs) {
		t.Errorf("%d of %d that differ", seen, len(differs))
	}
}
