package wacz

import "testing"

func TestUseOf(t *testing.T) {
	for name, want := range map[string]Use{
		"archive/a.warc.gz": Archive, "archive/A.ARC": Archive, "archive/a.log": Log, "a.warc": Log,
		"pages/pages.jsonl": List, "pages/a.json": Log, "indexes/index.cdx.gz": List, "indexes/a.cdxj": List, "indexes/index.idx": Description,
		"datapackage.json": Description, "datapackage-digest.json": Description, "logs/crawl.log": Log,
	} {
		if got := UseOf(name); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
}

func TestIs(t *testing.T) {
	zip := func(name string) string {
		return "PK\x03\x04" + "0123456789012345678901" + string(rune(len(name))) + "\x00\x00\x00" + name
	}
	for head, want := range map[string]bool{
		zip("archive/a.warc"): true, zip("pages/pages.jsonl"): true, zip("indexes/index.cdx.gz"): true,
		zip("a.warc"): false, zip("archive/a.txt"): false, "PK\x03\x04": false, "archive/a.warc": false, "": false,
		zip("archive/a.warc")[:40]: false,
	} {
		if got := Is([]byte(head)); got != want {
			t.Errorf("%q: %v", head, got)
		}
	}
}
