package cli

import (
	"slices"
	"testing"
)

func TestByteSize(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "4096": 4096, "-1": -1, "1K": 1024, "1k": 1024, "32M": 32 << 20, "32MiB": 32 << 20, "1G": 1 << 30,
		"1.5G": 3 << 29, "2T": 2 << 40, "1kB": 1000, "1GB": 1e9, "10B": 10, "9223372036854775807": 1<<63 - 1,
	} {
		var b ByteSize
		if err := b.Set(text); err != nil || int64(b) != want {
			t.Errorf("%s: %d, %v", text, b, err)
		}
		var again ByteSize
		if err := again.Set(b.String()); err != nil || again != b {
			t.Errorf("%s: %s is read as %d, %v", text, &b, again, err)
		}
	}
	for _, text := range []string{"", "x", "1X", "1.5", "1e9", "K", "99999999999999999999", "9999999T", "1 M B"} {
		var b ByteSize
		if err := b.Set(text); err == nil {
			t.Errorf("%q: %d", text, b)
		}
	}
}

func TestHostName(t *testing.T) {
	for text, want := range map[string]string{
		"example.org": "example.org", "http://www.w3.org/": "www.w3.org", "https://u@h:80/x?y": "h", "//h/x": "h", "h:8080": "h",
		".example.org": ".example.org", "*.example.org": ".example.org", "!http://h/": "!h", "[::1]:80": "[::1]", "http://[::1]/": "[::1]",
		"h/": "h",
	} {
		if got, err := HostName(text); err != nil || got != want {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "http://", "a*b", "/"} {
		if got, err := HostName(text); err == nil {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestCompletions(t *testing.T) {
	if got := completions([]string{"link", "embed"}, "link,!", true); !slices.Equal(got, []string{"link,!link", "link,!embed"}) {
		t.Error(got)
	}
}
