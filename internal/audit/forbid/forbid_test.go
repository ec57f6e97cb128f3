package forbid

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/internal/option"
	"example.org/refract/internal/testing/scantest"
	"example.org/refract/resolve"
)

func TestOf(t *testing.T) {
	l, err := New([]Entry{
		{Match: "^http:", Message: "use https"},
		{Hosts: []string{".staging.example.com", "Old.Example.net.", "ökö.example", "[2001:db8::1]"}, List: "hosts.txt"},
		{Match: `^\.\./|a b`},
		{Match: "^mailto:"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ ref, want string }{
		{"http://staging.example.com/", "use https"},
		{"https://staging.example.com/", "a host of hosts.txt"},
		{"https://a.b.STAGING.example.com:8080/x", "a host of hosts.txt"},
		{"//u:p@a.staging.example.com", "a host of hosts.txt"},
		{"https://xstaging.example.com/", ""},
		{"https://staging.example.com.evil/", ""},
		{"https://h/?u=https://staging.example.com/", ""},
		{"https://old.example.net./", "a host of hosts.txt"},
		{"https://a.old.example.net/", ""},
		{"https://ÖKÖ.example/", "a host of hosts.txt"},
		{"https://[2001:db8::1]:80/", "a host of hosts.txt"},
		{"../x", `matches "^\.\./|a b"`},
		{"x/a b", `matches "^\.\./|a b"`},
		{"MAILTO:a@b", `matches "^mailto:"`}, {"HTTP://H/X", "use https"}, {"Http", ""},
		{"mailto:a@staging.example.com", `matches "^mailto:"`},
		{"", ""}, {"//", ""}, {"https://", ""}, {"\xff\x00", ""}, {"https://\xff/", ""}, {"https://...", ""},
		{"https://" + strings.Repeat("a.", 2000) + "staging.example.com", ""}, // longer than any host
	} {
		r := &extract.Reference{Ref: []byte(tt.ref)}
		if c := resolve.Parse(r.Ref); c.HasScheme {
			r.URL, r.Result.Step = r.Ref, resolve.Absolute
		}
		got := ""
		if e, _ := l.Of(r); e != nil {
			got = e.What()
		}
		if got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.ref, got, tt.want)
		}
	}
	if e, _ := (*List)(nil).Of(&extract.Reference{Ref: []byte("x")}); e != nil {
		t.Error("no list forbids nothing")
	}
}

// The URL counts where the document itself makes it, and else what is written.
func TestText(t *testing.T) {
	for _, tt := range []struct {
		ref, url string
		step     resolve.Step
		layer    base.Layer
		want     string
	}{
		{"http://h/a b", "http://h/a%20b", resolve.Absolute, base.Retrieval, "http://h/a%20b"},
		{"x", "http://h/x", resolve.RelativePath, base.Embedded, "http://h/x"},
		{"x", "http://h/x", resolve.RelativePath, base.Encapsulating, "http://h/x"},
		{"x", "https://site/x", resolve.RelativePath, base.Retrieval, "x"},
		{"x", "file:///d/x", resolve.RelativePath, base.Embedded, "x"},
		{"file:///d/x", "file:///d/x", resolve.Absolute, base.Retrieval, "file:///d/x"},
		{"HTTP://U@H.Example:8/X", "HTTP://U@H.Example:8/X", resolve.Absolute, base.Retrieval, "http://u@h.example:8/X"},
		{"//H/X", "file://H/X", resolve.NetworkPath, base.Retrieval, "//h/X"},
		{"x", "", resolve.NoBase, base.None, "x"},
		{"data:,x", "", resolve.Absolute, base.None, "data:,x"}, // too long
	} {
		r := &extract.Reference{Ref: []byte(tt.ref), URL: []byte(tt.url), Result: resolve.Result{Step: tt.step}, Base: base.Base{Layer: tt.layer}}
		if got := Text(r); string(got) != tt.want {
			t.Errorf("%+v: got %q", tt, got)
		}
	}
}

func TestWrongEntries(t *testing.T) {
	for _, e := range []Entry{{}, {Match: "("}, {Match: "(?=a)"}, {Match: "a{1001}"}, {Hosts: []string{""}}, {Hosts: []string{"."}}, {Hosts: []string{"a b"}}, {Hosts: []string{"*.a"}}, {Hosts: []string{"https://a/"}}} {
		var bad *option.Error
		if _, err := New([]Entry{{Match: "x"}, e}); !errors.As(err, &bad) || bad.Name != "Forbid" {
			t.Errorf("%+v: %v", e, err)
		}
	}
}

// A host is looked up in the same time among any number of hosts, and long hosts take no more than their length.
func TestHostile(t *testing.T) {
	run := func(n int) func() {
		hosts := make([]string, n)
		for i := range hosts {
			hosts[i] = fmt.Sprintf(".h%d.example.org", i)
		}
		l, err := New([]Entry{{Hosts: hosts}, {Match: "(a*)*b"}})
		if err != nil {
			t.Fatal(err)
		}
		text := &extract.Reference{Ref: []byte("//" + strings.Repeat("a.", n/100) + "org/" + strings.Repeat("a", n/10))}
		return func() {
			for range 100 {
				l.Of(text)
			}
		}
	}
	scantest.Linear(t, "hosts", 30*time.Millisecond, run(25_000), run(100_000))
}
