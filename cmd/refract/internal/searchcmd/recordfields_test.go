package searchcmd

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// unpacked decompresses all of src, by its first bytes.
func unpacked(t *testing.T, src []byte) string {
	t.Helper()
	var r io.Reader = bytes.NewReader(src)
	var err error
	switch {
	case bytes.HasPrefix(src, []byte("\x1f\x8b")):
		r, err = gzip.NewReader(r)
	case bytes.HasPrefix(src, []byte("\x04\x22\x4d\x18")):
		r = bytes.NewReader(nil)
		for src = src[7:]; binary.LittleEndian.Uint32(src) != 0; {
			n := binary.LittleEndian.Uint32(src) &^ (1 << 31)
			r, src = io.MultiReader(r, bytes.NewReader(src[4:4+n])), src[4+n:]
		}
	case bytes.HasPrefix(src, []byte("\x28\xb5\x2f\xfd")):
		r, err = zstd.NewReader(r)
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// zstdFrames returns each text as a frame. With isStream, its length is not in the header.
func zstdFrames(t *testing.T, isStream bool, texts ...string) string {
	t.Helper()
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(isStream))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		if !isStream {
			b.Write(z.EncodeAll([]byte(text), nil))
			continue
		}
		z.Reset(&b)
		z.Write([]byte(text[:len(text)/2]))
		z.Flush()
		z.Write([]byte(text[len(text)/2:]))
		z.Close()
	}
	return b.String()
}

// lz4Frames returns each text as a frame, of blocks of at most 64 KiB that are not compressed.
func lz4Frames(texts ...string) string {
	var b []byte
	for _, text := range texts {
		b = append(b, "\x04\x22\x4d\x18\x60\x40\x82"...)
		for len(text) > 0 {
			n := min(len(text), 64<<10)
			b = binary.LittleEndian.AppendUint32(b, uint32(n)|1<<31)
			b, text = append(b, text[:n]...), text[n:]
		}
		b = append(b, 0, 0, 0, 0)
	}
	return string(b)
}

// numbered returns n records with ids; their bodies have the sizes in turn, and can hardly be compressed.
func numbered(n int, sizes ...int) (texts []string) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		body := []byte("<a href=x>")
		for range sizes[i%len(sizes)] {
			body = append(body, "abcdefghijklmnopqrstuvwxyz0123456789 \n"[random.IntN(38)])
		}
		text := record(fmt.Sprintf("http://h/%d/", i), string(body))
		texts = append(texts, strings.Replace(text, "\r\n", fmt.Sprintf("\r\nWARC-Record-ID: <urn:uuid:%d>\r\n", i), 1))
	}
	return texts
}

// Reading record_length bytes at record_offset of the file, and decompressing them, gives the record with
// that id.
func TestRecordPlaces(t *testing.T) {
	few, many := numbered(40, 10, 3000, 0), numbered(60, 100, 9000, 200_000, 0, 1)
	mid := len(few[1]) / 2
	fewMembers, manyMembers := packed(6, few...), packed(6, many...)
	const skipped = "\x50\x2a\x4d\x18\x03\x00\x00\x00abc" // a frame without contents
	empty := packed(6, "")
	for _, c := range []struct {
		name, file string
		texts      []string
		known      int // records whose place is known
		args       string
	}{
		{"plain.warc", strings.Join(few, ""), few, 40, ""},
		{"large.warc", strings.Join(many, ""), many, 60, ""},
		{"few.warc.gz", fewMembers, few, 40, ""},
		{"many.warc.gz", manyMembers, many, 60, "--jobs 2"},
		{"many.warc.gz", manyMembers, many, 60, "--jobs 1"},
		{"range.warc.gz", manyMembers, many[1:], 59, "--range 1:"},
		{"range.warc", strings.Join(few, ""), few[1:], 39, "--range 1:"},
		{"one.warc.gz", packed(6, strings.Join(few, "")), few, 0, ""},
		{"pairs.warc.gz", packed(6, few[0]+few[1], few[2], few[3]+few[4]), few[:5], 1, ""},
		{"empty.warc.gz", empty + packed(6, few[0]) + empty + empty + empty + packed(6, few[1]) + empty, few[:2], 2, ""},
		{"split.warc.gz", packed(6, few[0], few[1][:mid], few[1][mid:], few[2]), few[:3], 3, ""},
		{"frames.warc.lz4", lz4Frames(few...), few, 40, ""},
		{"blocks.warc.lz4", lz4Frames(many...), many, 60, ""},
		{"skipped.warc.lz4", skipped + lz4Frames(few[:2]...) + skipped + lz4Frames(few[2:]...) + skipped, few, 40, ""},
		{"one.warc.lz4", lz4Frames(strings.Join(few, "")), few, 0, ""},
		{"frames.warc.zst", zstdFrames(t, false, many...), many, 60, ""},
		{"streams.warc.zst", zstdFrames(t, true, many...), many, 60, ""},
		{"skipped.warc.zst", skipped + zstdFrames(t, true, few[:2]...) + skipped + zstdFrames(t, false, few[2:]...) + skipped, few, 40, ""},
		{"one.warc.zst", zstdFrames(t, true, strings.Join(few, "")), few, 0, ""},
	} {
		name := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(name, []byte(c.file), 0o600); err != nil {
			t.Fatal(err)
		}
		args := append(strings.Fields(c.args), "--format", "tsv", "--fields", "warc_record_id,record_offset,record_length", name)
		var out, message bytes.Buffer
		runSearch(args, &out, &message)
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")[1:]
		if len(lines) != len(c.texts) {
			t.Errorf("%s: %d lines: %s", c.name, len(lines), message.String())
			continue
		}
		known := 0
		for i, line := range lines {
			f := strings.Split(line, "\t")
			if f[1] == "" && f[2] == "" {
				continue
			}
			known++
			offset, _ := strconv.Atoi(f[1])
			length, _ := strconv.Atoi(f[2])
			if got := unpacked(t, []byte(c.file[offset:offset+length])); got != c.texts[i] || !strings.Contains(got, "\r\nWARC-Record-ID: "+f[0]+"\r\n") {
				t.Errorf("%s: %s leads to %.60q", c.name, line, got)
			}
		}
		if known != c.known {
			t.Errorf("%s %s: %d places, want %d", c.name, c.args, known, c.known)
		}
	}
}

// A record is damaged, too, if what is wrong makes its member seem longer than the record.
func TestRecordLonger(t *testing.T) {
	texts := numbered(3, 2000)
	member := packed(6, texts[1]+" </p>\r\n\r\n")
	src := packed(6, texts[0]) + member[:len(member)-8] + "no\x00\x00\x00sum" + packed(6, texts[2])
	name := filepath.Join(t.TempDir(), "a.warc.gz")
	if err := os.WriteFile(name, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	again := name + ".csv"
	var out bytes.Buffer
	runSearch([]string{"--format", "tsv", "--fields", "document,damaged", "--damaged", again, name}, &out, io.Discard)
	documents := make(map[string]string)
	for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n")[1:] {
		document, damaged, _ := strings.Cut(line, "\t")
		documents[document] = damaged
	}
	list, err := os.ReadFile(again)
	if err != nil {
		t.Fatal(err)
	}
	damaged := 0
	for document, why := range documents {
		if why == "" {
			continue
		}
		damaged++
		if !strings.Contains(string(list), ","+document+",") {
			t.Errorf("%s is damaged, but not listed: %s", document, list)
		}
	}
	if len(documents) != 3 || damaged != 1 || strings.Count(string(list), "\n") != 2 {
		t.Errorf("%v; %s", documents, list)
	}
}

// After damage, places are right, too: that of the damaged record is where it can be fetched again.
func TestRecordPlacesDamaged(t *testing.T) {
	texts := numbered(30, 2000)
	whole := []byte(packed(6, texts...))
	members := bytes.Clone(whole)
	at := len(packed(6, texts[:10]...))
	copy(members[at+200:], "damage, damage, damage")
	name := filepath.Join(t.TempDir(), "a.warc.gz")
	if err := os.WriteFile(name, members, 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	runSearch([]string{"--format", "tsv", "--fields", "warc_record_id,record_offset,record_length", name}, &out, io.Discard)
	known := 0
	for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n")[1:] {
		if f := strings.Split(line, "\t"); len(f) == 3 && f[1] != "" {
			known++
			offset, _ := strconv.Atoi(f[1])
			length, _ := strconv.Atoi(f[2])
			if got := unpacked(t, whole[offset:offset+length]); !strings.Contains(got, "WARC-Record-ID: "+f[0]+"\r\n") {
				t.Errorf("%s leads to %.60q", line, got)
			}
		}
	}
	if known < 29 { // of the damaged record, there may be no link
		t.Errorf("%d places", known)
	}
}
