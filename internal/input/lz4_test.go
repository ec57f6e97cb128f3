package input

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// lz4Text is the text of lz4Samples.
func lz4Text() string {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "http://h/%d/ %s\n", i, strings.Repeat("ab", i%7))
	}
	return b.String()
}

// lz4Samples are what the command lz4 1.9.4 makes of lz4Text.
var lz4Samples = []struct{ command, frame string }{
	{"lz4 -1", "BCJNGGRApysBAADVaHR0cDovL2gvMC8gCg0AVjEvIGFiDwAQMg8ACBEAEjMRAAgTABQ0EwAIFQAWNRUACBcAGDYXAAgZABg3hQAQOCYABoUAEDkPAAgRACIxMBIACRQAAboAAgIABjsAEzHBAAICAAcYAAXIAAICAAcaABg0igARMcgABx4AA8EABxIAHzeMAAABwQACAgAHKgADyAACAgAGGAAVMs4AAgIABxoAGDGMABEyzAAHHgADxAAHEgAFiwEHFAABwgACAgAHFgADyAACAgAHGAAFzgACAgAHGgAZOIwAAcwABh4AEzPEAAcSAAWQAQcUAAHCAAICAAcWAAPIAAICAAcYAAXOAAICAAcaABg1jAARM8wABx4AA8QABxIABZABBxQAwDkvIGFiYWJhYmFiCgAAAAAPMJSC"},
	{"lz4 -9 -BD -B4 -BX", "BCJNGHRAveQAAADVaHR0cDovL2gvMC8gCg0AVjEvIGFiDwAQMg8ACBEAEjMRAAgTABQ0EwAIFQAWNRUACBcAGDYXAAgZABg3hQAaOIUAHDmFAC4xMIYALzExhwABLzEyiAADLzEziQAFKTE0DwEaNYsALTE2jAAfN4wAAB84jAACHzmMAAMvMjCMAAUoMjGMACsyMpwBHDOMAC4yNIwALzI1jAABLzI2jAAEHzeMAAYZOIwAGjmMAC0zMCkCHjGMAC8zMowAAS8zM4wAAy8zNIwABSgzNYwAKzM2jAAdN4wAHziMAAADjgFQYWJhYgoE39S3AAAAAA8wlII="},
	{"lz4 --content-size -BX -B5", "BCJNGHxADAMAAAAAAAAJKwEAANVodHRwOi8vaC8wLyAKDQBWMS8gYWIPABAyDwAIEQASMxEACBMAFDQTAAgVABY1FQAIFwAYNhcACBkAGDeFABA4JgAGhQAQOQ8ACBEAIjEwEgAJFAABugACAgAGOwATMcEAAgIABxgABcgAAgIABxoAGDSKABExyAAHHgADwQAHEgAfN4wAAAHBAAICAAcqAAPIAAICAAYYABUyzgACAgAHGgAYMYwAETLMAAceAAPEAAcSAAWLAQcUAAHCAAICAAcWAAPIAAICAAcYAAXOAAICAAcaABk4jAABzAAGHgATM8QABxIABZABBxQAAcIAAgIABxYAA8gAAgIABxgABc4AAgIABxoAGDWMABEzzAAHHgADxAAHEgAFkAEHFADAOS8gYWJhYmFiYWIKTNyyTAAAAAAPMJSC"},
	{"lz4 --no-frame-crc -12", "BCJNGGBAguQAAADVaHR0cDovL2gvMC8gCg0AVjEvIGFiDwAQMg8ACBEAEjMRAAgTABQ0EwAIFQAWNRUACBcAGDYXAAgZABg3hQAaOIUAHDmFAC4xMIYAETG6AA0WAAPBAA0YAAXIAA0aABk0DwEaNYsALTE2jAAuNy+MAB84jAACHzmMAAMVMs4ADRoAGDGMACsyMpwBHDOMAC4yNIwAFzKKAQcWAB82jAAEHzeMAAYZOIwAGjmMAC0zMCkCHjGMABczjgEHFgAJjAEHGAAHWQILGgAYNYwAKzM2jAAdN4wALjgvjAADjgFQYWJhYgoAAAAA"},
}

// lz4Frame returns a frame of one block, which is not compressed if isRaw.
func lz4Frame(block string, isRaw bool) string {
	head := []byte("\x60\x70") // without checksums, of blocks of 4 MiB
	b := append([]byte(lz4Magic), head...)
	b = append(b, byte(xxh32Of(head)>>8))
	size := uint32(len(block))
	if isRaw {
		size |= 1 << 31
	}
	b = append(binary.LittleEndian.AppendUint32(b, size), block...)
	return string(append(b, 0, 0, 0, 0))
}

// readLZ4 decompresses src.
func readLZ4(src string) (string, error) {
	r, err := openLZ4(countedOf(strings.NewReader(src)), maxWindow)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(r)
	return string(text), err
}

func TestLZ4(t *testing.T) {
	want := lz4Text()
	const skipped = "\x5f\x2a\x4d\x18\x03\x00\x00\x00abc"
	all := ""
	for _, s := range lz4Samples {
		frame := unbase64(s.frame)
		all += frame + skipped
		if got, err := readLZ4(frame); got != want || err != nil {
			t.Errorf("%s: %v: %q", s.command, err, got)
		}
		for n := range len(frame) {
			got, err := readLZ4(frame[:n])
			if n > 0 && err == nil || !strings.HasPrefix(want, got) {
				t.Errorf("%s, %d bytes of it: %v: %q", s.command, n, err, got)
			}
		}
		if strings.Contains(s.command, "no-frame-crc") {
			continue
		}
		for i := range len(frame) {
			damaged := []byte(frame)
			damaged[i] ^= 0x10
			got, err := readLZ4(string(damaged) + frame)
			if err == nil {
				t.Errorf("%s: damage at %d is not an error", s.command, i)
			}
			if i > lz4Head+4 && !strings.HasSuffix(got, want) {
				t.Errorf("%s: the frame after damage at %d is not read", s.command, i)
			}
		}
	}
	if got, err := readLZ4(skipped + all + lz4Frame("xyz", true)); got != strings.Repeat(want, len(lz4Samples))+"xyz" || err != nil {
		t.Errorf("%v: %q", err, got)
	}
	if got, err := readLZ4(""); got != "" || err != nil {
		t.Errorf("%v: %q", err, got)
	}
	path := filepath.Join(t.TempDir(), "a.warc.lz4")
	if err := os.WriteFile(path, []byte(all), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := read(path); got != strings.Repeat(want, len(lz4Samples)) || err != nil {
		t.Errorf("%v: %q", err, got)
	}
	if got := Inner("a.warc.lz4"); got != "a.warc" {
		t.Error(got)
	}
}

// Blocks that are damaged, or claim more than they may have.
func TestLZ4Hostile(t *testing.T) {
	long := strings.Repeat("\xff", 1<<20)
	for _, tt := range []struct{ name, block string }{
		{"an offset before the text", "\x10a\x02\x00\x00"},
		{"an offset of 0", "\x10a\x00\x00\x00"},
		{"half an offset", "\x10a\x01"},
		{"a match at the end", "\x10a\x01\x00"},
		{"literals that are not there", "\xf0\xff\x10a"},
		{"a length that does not end", "\xf0" + long},
		{"a long match", "\x1fa\x01\x00" + long + "\x00\x00"},
	} {
		got, err := readLZ4(lz4Frame(tt.block, false))
		if !errors.Is(err, errLZ4Block) || len(got) > 5 {
			t.Errorf("%s: %v, %d bytes", tt.name, err, len(got))
		}
	}
	if got, err := readLZ4(lz4Frame("\x1fa\x01\x00\x05\x10b", false)); got != strings.Repeat("a", 25)+"b" || err != nil {
		t.Errorf("%v: %q", err, got)
	}
	head := []byte("\x68\x70\xff\xff\xff\xff\xff\xff\xff\x7f") // a size of 2^63-1
	frame := lz4Magic + string(append(head, byte(xxh32Of(head)>>8))) + "\x01\x00\x00\x80a\x00\x00\x00\x00"
	if got, err := readLZ4(frame); got != "a" || err == nil || !strings.Contains(err.Error(), "a frame of 1 bytes, not 9223372036854775807") {
		t.Errorf("%v: %q", err, got)
	}
	if n := testing.AllocsPerRun(3, func() { readLZ4(strings.Repeat(lz4Frame("a", true), 100)) }); n > 40 {
		t.Errorf("%v allocations for 100 frames", n)
	}
	r, _ := openLZ4(countedOf(strings.NewReader(lz4Frame("a", true))), 1<<20)
	if _, err := io.ReadAll(r); err == nil || !strings.Contains(err.Error(), "blocks of 4194304 bytes") {
		t.Error(err)
	}
}

func TestLZ4Linear(t *testing.T) {
	frame := lz4Frame("a", true)
	scantest.Shapes(t, []scantest.Shape{
		{"", lz4Magic, ""}, {"", lz4Magic + "\x60\x70", ""}, {frame, "\x04", ""}, {"", frame, ""}, {"", "\x50\x2a\x4d\x18\x00\x00\x00\x00", ""},
		{"", frame[:12], ""}, {frame, "x", frame}, {"", frame[:7] + "\xff\xff\x3f\x00", ""},
	}, 256<<10, func(src []byte) { readLZ4(string(src)) })
}

// Any bytes are read without a panic, and give the same with other sizes of reads.
func FuzzLZ4(f *testing.F) {
	for _, s := range lz4Samples {
		f.Add([]byte(unbase64(s.frame)))
	}
	f.Add([]byte(lz4Frame("\x1fa\x01\x00\x05\x10b", false)))
	f.Fuzz(func(t *testing.T, src []byte) {
		want, err := readLZ4(string(src))
		r, _ := openLZ4(countedOf(bytes.NewReader(src)), maxWindow)
		var got []byte
		var again error
		for p := make([]byte, 7); again == nil; {
			var n int
			n, again = r.Read(p)
			got = append(got, p[:n]...)
		}
		if again == io.EOF {
			again = nil
		}
		if string(got) != want || fmt.Sprint(err) != fmt.Sprint(again) {
			t.Fatalf("%d bytes, %v; %d bytes, %v", len(want), err, len(got), again)
		}
	})
}
