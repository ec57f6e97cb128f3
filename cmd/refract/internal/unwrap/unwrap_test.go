package unwrap

import (
	"bufio"
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/testing/scantest"
)

// Each line of testdata/targets.tsv has a wrapped URL and its target; "-" if there is none.
func TestTarget(t *testing.T) {
	file, err := os.Open("testdata/targets.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows := bufio.NewScanner(file)
	n := 0
	for rows.Scan() {
		url, want, ok := strings.Cut(rows.Text(), "\t")
		if !ok || strings.HasPrefix(url, "#") {
			continue
		}
		n++
		got, found := Target([]byte("x"), []byte(url))
		switch {
		case want == "-" && found:
			t.Errorf("%s: %s, want none", url, got)
		case want != "-" && string(got) != "x"+want:
			t.Errorf("%s\n got %s\nwant %s", url, got, want)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if n < 50 {
		t.Errorf("%d rows", n)
	}
}

func TestHost(t *testing.T) {
	tests := []struct{ url, want string }{
		{"https://protect-us.mimecast.com/s/YtLGCQWOLNcEnRYVcVBA3V?domain=example.org", "example.org"},
		{"https://url.us.m.mimecastprotect.com/s/tok?domain=docs.example.org&x=1", "docs.example.org"},
		{"https://protect-eu.mimecast.com/s/tok", ""},
		{"https://protect-eu.mimecast.com/s/tok?domain=a%2Fb", ""},
		{"https://protect-eu.mimecast.com/s/?domain=", ""},
		{"https://www.mimecast.com/about?domain=example.org", ""},
		{"https://mimecast.com.example.net/s/x?domain=example.org", ""},
		{"ftp://protect-us.mimecast.com/s/x?domain=example.org", ""},
		{"mailto:x@mimecast.com", ""},
	}
	for _, tt := range tests {
		got, ok := Host(nil, []byte(tt.url))
		if string(got) != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: %q, %v", tt.url, got, ok)
		}
	}
}

// Wrappers around wrappers are removed up to a depth, in linear time.
func TestHostile(t *testing.T) {
	wrap := func(n int) []byte {
		url := []byte("http://h/")
		for range n {
			url = append([]byte("http://rd.yahoo.com/*"), url...)
		}
		return url
	}
	for _, make := range []func(n int) []byte{
		wrap,
		func(n int) []byte {
			return append([]byte("https://urldefense.com/v3/__"), bytes.Repeat([]byte("**A"), n)...)
		},
		func(n int) []byte {
			return append([]byte("https://www.google.com/url?q="), bytes.Repeat([]byte("&"), n)...)
		},
	} {
		run := func(n int) func() {
			url := make(n)
			return func() {
				for range 200 {
					Target(nil, url)
				}
			}
		}
		scantest.Linear(t, string(make(2)), 50*time.Millisecond, run(500), run(2000))
	}
}

func FuzzTarget(f *testing.F) {
	data, err := os.ReadFile("testdata/targets.tsv")
	if err != nil {
		f.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		url, _, _ := bytes.Cut(line, []byte("\t"))
		f.Add(url)
	}
	f.Fuzz(func(t *testing.T, url []byte) {
		given := bytes.Clone(url)
		target, found := Target(nil, url)
		if !bytes.Equal(url, given) {
			t.Fatal("the URL has been changed")
		}
		if found != (len(target) > 0) || found && !isURL(target) {
			t.Fatalf("%q, %v", target, found)
		}
		Host(nil, url)
	})
}
