package canon

import "example.org/refract/internal/ascii"

import "fmt"

// A Profile is the canonical form by which another program compares URLs. It has rules of its own, and its
// keys are byte for byte those of that program, so that they can be looked up there. Each key takes time
// linear in the length of the URL, except for sorting the parameters.
//
// If the other program refuses a URL, the URL is its own key here.
type Profile uint8

const (
	// NoProfile makes keys by the other fields of a [Key].
	NoProfile Profile = iota

	// CDX is the key of the CDX indexes of web archives, as the Python package surt 0.3.1 makes it with its
	// default options: pywb and indexers use that package. It decodes repeatedly, removes "www.", users,
	// sessions, fragments and a final slash, folds the case of paths and queries, and sorts parameters:
	// "https://u@www2.Example.org/A//B/?z=1&y" is "org,example)/a/b?y&z=1".
	//
	// Where that package fails because a port is no number, or more than 65,535, the port is kept.
	CDX

	// W3lib is canonicalize_url of the Python package w3lib 2.5.0 with its default options, from which Scrapy
	// computes the fingerprint of a request. It sorts parameters, decodes and escapes paths and queries, and
	// removes fragments: "http://H/a b?z&y=1#f" is "http://h/a%20b?y=1&z=".
	//
	// It refuses an invalid port or IP literal, and a host in which NFKC creates a delimiter.
	W3lib

	// URLCanonSemantic is semantic of the Python package urlcanon 0.3.1. It adds "http:" where there is no scheme,
	// decodes repeatedly, removes users, fragments, empty segments and surplus dots of hosts, writes
	// numeric hosts as IP addresses, and sorts parameters: "u@0x7f.1//a?b&%61" is "http://127.0.0.1/a?a&b".
	//
	// It refuses a negative number as a host.
	URLCanonSemantic

	// CrawlerCommons is BasicURLNormalizer of the Java library crawler-commons with its default options, and
	// with the corrections after 1.6. The normalizers of Nutch and StormCrawler have the same origin, but other
	// rules. It sorts parameters by name, drops those without a name, users, fragments and empty segments, and
	// decodes letters, digits and -._~ alone: "u@H:80//a?b=1&a=&=" is "http://h/a?a&b=1".
	//
	// It refuses a scheme that Java has no handler for, a backslash, and a port that is no number. The schemes
	// jar, jmod and jrt, whose handlers have grammars of their own, and hosts with "%23" are also refused here.
	CrawlerCommons
)

// Profiles returns the profiles that have a name, in the order of their numbers.
func Profiles() []Profile { return []Profile{CDX, W3lib, URLCanonSemantic, CrawlerCommons} }

// String returns the name of p: "cdx", "w3lib", "urlcanon-semantic" or "crawler-commons", or "" for
// NoProfile.
func (p Profile) String() string {
	names := [...]string{"", "cdx", "w3lib", "urlcanon-semantic", "crawler-commons"}
	if int(p) >= len(names) {
		return fmt.Sprintf("Profile(%d)", uint8(p))
	}
	return names[p]
}

// append appends the key of url.
func (p Profile) append(dst, url []byte) []byte {
	start := len(dst)
	var ok bool
	switch p {
	case W3lib:
		dst, ok = appendW3lib(dst, url)
	case URLCanonSemantic:
		dst, ok = appendURLCanon(dst, url)
	case CrawlerCommons:
		dst, ok = appendCrawlerCommons(dst, url)
	default:
		return appendCDX(dst, url)
	}
	if !ok {
		dst = append(dst[:start], url...)
	}
	return dst
}

// A byteSet holds the bytes that a profile does not escape.
type byteSet [256]bool

// newByteSet returns letters, digits, -._~ and others.
func newByteSet(others string) *byteSet {
	var set byteSet
	for c := range set {
		set[c] = ascii.IsAlnum(byte(c))
	}
	others += "-._~"
	for i := range len(others) {
		set[others[i]] = true
	}
	return &set
}

// newEscapedSet returns all visible ASCII but the bytes in escaped.
func newEscapedSet(escaped string) *byteSet {
	var set byteSet
	for c := byte(0x21); c < 0x7F; c++ {
		set[c] = true
	}
	for i := range len(escaped) {
		set[escaped[i]] = false
	}
	return &set
}

// escape appends s to dst, and escapes what is not in the set.
func (set *byteSet) escape(dst, s []byte) []byte {
	for _, c := range s {
		if set[c] {
			dst = append(dst, c)
		} else {
			dst = ascii.AppendEscape(dst, c)
		}
	}
	return dst
}
