package resolve_test

import (
	"fmt"

	"example.org/refract/resolve"
)

func ExampleResolve() {
	fmt.Println(resolve.Resolve("http://a/b/c", "../g?y#s"))
	fmt.Println(resolve.Resolve("", "../g"))
	// Output:
	// http://a/g?y#s <nil>
	//  resolve: "../g" is relative, and the base "" has no scheme
}

// Many references against one base, by two documents.
func ExampleResolver_Append() {
	draft, _ := resolve.RulesNamed("draft")
	for _, rules := range []resolve.Rules{{}, draft} {
		r := rules.Resolver("http://a/b/c/d;p?q")
		for _, ref := range []string{"../g", "#s", "../../../g"} {
			url, res := r.Append(nil, []byte(ref))
			if res.SameDocument() {
				fmt.Print("(current document)")
			}
			fmt.Printf("%s %q\n", url, res.Departures.Names())
		}
	}
	// Output:
	// http://a/b/g []
	// http://a/b/c/d;p?q#s []
	// http://a/g ["above-root"]
	// http://a/b/g []
	// (current document)#s []
	// http://a/../g ["above-root"]
}

// Why a reference resolves as it does.
func ExampleResolver_Explain() {
	r := resolve.Rules{}.Resolver("http://a/b/c?q")
	for _, fact := range r.Explain([]byte("../../g")) {
		fmt.Println(fact)
	}
	// Output:
	// step: relative path, which replaces the last segment of the base's (RFC 3986 5.2.3)
	// inherited: scheme "http", authority "a", directory "/b/"
	// dot segments: "/b/../../g" becomes "/g" (RFC 3986 5.2.4)
	// above-root: ".." goes above the root, and is removed (RFC 3986 5.2.4)
}

// The shortest reference to a URL.
func ExampleResolver_AppendRelative() {
	r := resolve.Rules{}.Resolver("http://h/docs/a/page.html")
	for _, url := range []string{"http://h/docs/b.html", "http://h/docs/a/page.html#s", "http://other/", "mailto:ann@h"} {
		ref, ok := r.AppendRelative(nil, []byte(url))
		fmt.Printf("%s %v\n", ref, ok)
	}
	// Output:
	// ../b.html true
	// #s true
	// //other/ true
	// mailto:ann@h true
}

// One rule of RFC 3986 changed, and all the results that documents disagree about.
func ExampleRules_Compare() {
	var rules resolve.Rules
	if err := rules.Set("above-root", "error"); err != nil {
		fmt.Println(err)
	}
	fmt.Println(rules)
	for _, o := range rules.Compare("http://a/b", []byte("../g")) {
		fmt.Printf("%q %v %v\n", o.URL, o.Result.Err(), o.Rules)
	}
	// Output:
	// rfc3986,above-root=error
	// "" the path goes above the root [rfc3986,above-root=error]
	// "http://a/g" <nil> [rfc3986]
	// "http://a/../g" <nil> [rfc1808 draft-01 draft-02 draft rfc2396]
}

// The parts of a URL that its scheme defines.
func ExampleRules_Parts() {
	for _, p := range (resolve.Rules{}).Parts(nil, []byte("ftp://ann@h:2121/a/b.txt;type=a")) {
		fmt.Printf("%s=%s ", p.Name, p.Value)
	}
	// Output:
	// scheme=ftp authority=ann@h:2121 user=ann host=h port=2121 path=/a/b.txt;type=a directories=a name=b.txt typecode=a
}

// Normal forms make more spellings of one URL equal.
func ExampleForm_Append() {
	url := []byte("HTTP://Example.org:80/a/../%7eann?%2f")
	fmt.Printf("%s\n", resolve.AllForms.Append(nil, url))
	fmt.Printf("%s\n", (resolve.CaseForm|resolve.DotsForm).Append(nil, url))
	// Output:
	// http://example.org/~ann?%2F
	// http://example.org:80/%7Eann?%2F
}

// Whether a reference is valid, and by which section it is not.
func ExampleGrammar_Check() {
	for _, ref := range []string{"http://h/a b", "http://h/a%2", "/a?b[]"} {
		offence, valid := resolve.RFC3986.Check([]byte(ref))
		fmt.Println(valid, offence)
	}
	// Output:
	// false byte 10: a space is not allowed in a path (RFC 3986 3.3)
	// false byte 10: "%" is not followed by two hexadecimal digits (RFC 3986 2.1)
	// false byte 4: "[" is not allowed in a query (RFC 3986 3.4)
}

// Where browsers take a reference, if that is not where RFC 3986 takes it.
func ExampleReadings_AppendBrowser() {
	readings := resolve.NewReadings("http://a/b")
	for _, ref := range []string{`http://good.example\@evil.example/`, "HTTP://%61/c", "http:g"} {
		url, differs := readings.AppendBrowser(nil, []byte(ref))
		fmt.Printf("%q %v\n", url, differs)
	}
	// Output:
	// "http://good.example/@evil.example/" true
	// "" false
	// "http://a/g" true
}
