package filter

import (
	"strings"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/hostname"
	"example.org/refract/resolve"
)

// NameOf returns the host of url in the form used to compare hosts.
func NameOf(url []byte) string { return hostname.Comparable(hostOf(url)) }

// DomainOfURL returns the registered domain of the host of url, or the host if it has none.
func DomainOfURL(url []byte) string { return DomainOf(NameOf(url)) }

// DomainOf returns the registered domain of a host by the public suffix list. Addresses and public
// suffixes have none: for these it returns the host.
func DomainOf(host string) string {
	if hostname.IsAddress(strings.Trim(host, "[]")) {
		return host
	}
	if d, ok := hostname.Registered(host); ok {
		return d
	}
	return host
}

// hostOf returns the host of url without user and port; IP literals keep their brackets.
func hostOf(url []byte) string {
	host := resolve.Parse(url).Authority
	host, _, _ = ascii.CutPort(host[ascii.HostStart(host):])
	return string(host)
}

// SchemeIs reports whether url begins with the scheme s and a colon.
func SchemeIs(url []byte, s string) bool {
	return len(url) > len(s) && url[len(s)] == ':' && strings.EqualFold(string(url[:len(s)]), s)
}

// mayBeActive reports whether url begins with the first letter of an active scheme. It is a quick
// test that rejects nearly all URLs.
func mayBeActive(url []byte) bool {
	return len(url) > 0 && strings.IndexByte("jvda", url[0]|0x20) >= 0
}
