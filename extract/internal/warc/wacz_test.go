package warc

import "testing"

func TestUseOf(t *testing.T) {
	for name, want := range map[string]Use{
		"archive/a.warc.gz": ArchiveFile, "archive/A.ARC": ArchiveFile, "archive/a.log": LogFile, "a.warc": LogFile,
		"pages/pages.jsonl": ListFile, "pages/a.json": LogFile, "indexes/index.cdx.gz": ListFile, "indexes/a.cdxj": ListFile, "indexes/index.idx": DescriptionFile,
		"datapackage.json": DescriptionFile, "datapackage-digest.json": DescriptionFile, "logs/crawl.log": LogFile,
	} {
		if got := UseOf(name); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
}

func TestIsWACZ(t *testing.T) {
	zip := func(name string) string {
		return "PK\x03\x04" + "0123456789012345678901" + string(rune(len(name))) + "\x00\x00\x00" + name
	}
	for head, want := range map[string]bool{
		zip("archive/a.warc"): true, zip("pages/pages.jsonl"): true, zip("indexes/index.cdx.gz"): true,
		zip("a.warc"): false, zip("archive/a.txt"): false, "PK\x03\x04": false, "archive/a.warc": false, "": false,
		zip("archive/a.warc")[:40]: false,
	} {
		if got := IsWACZ([]byte(head)); got != want {
			t.Errorf("%q: %v", head, got)
		}
	}
}
