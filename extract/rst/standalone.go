package rst

import (
	"bytes"
	"strings"
	"sync"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// schemes are those of docutils (utils/urischemes.py), an old copy of IANA's registry:
// a bare URL is a link only with one of these.
var schemes = sync.OnceValue(func() map[string]bool {
	set := make(map[string]bool)
	for _, s := range strings.Fields(`about acap addbook afp afs aim callto castanet chttp cid crid data dav
		dict dns eid fax feed file finger freenet ftp go gopher gsm-sms h323 h324 hdl hnews http https
		hydra iioploc ilu im imap info ior ipp irc iris.beep iseek jar javascript jdbc ldap lifn
		livescript lrq mailbox mailserver mailto md5 mid mocha modem mtqp mupdate news nfs nntp
		opaquelocktoken phone pop pop3 pres printer prospero rdar res rtsp rvp rwhois rx sdp service shttp
		sip sips smb snews snmp soap.beep soap.beeps ssh t120 tag tcp tel telephone telnet tftp tip tn3270
		tv urn uuid vemmi videotex view-source wais whodp whois++ x-man-page xmlrpc.beep xmlrpc.beeps
		z39.50r z39.50s`) {
		set[s] = true
	}
	return set
})

const (
	maxScheme = 16      // more than the length of the longest scheme
	maxURI    = 1 << 16 // in bytes: a longer run is not a URL
)

// standalone finds URLs and addresses in text[:end], which has no markup.
func (p *parser) standalone(from int, text []byte, end int) {
	plain := 0 // where the text after the last of them begins
	for i := 0; i < end; i++ {
		n := bytes.IndexAny(text[i:end], ":@")
		if n < 0 {
			return
		}
		i += n
		var start, stop int
		f := form{how: scan.Bare, in: "standalone", value: asURI}
		if text[i] == ':' {
			start, stop = standaloneURL(text[:end], plain, i)
		} else {
			start, stop = standaloneMail(text[:end], plain, i)
			f.meant = "mailto:"
		}
		if stop == 0 {
			continue
		}
		if stop-start <= maxURI {
			p.add(f, from+start, from+stop, -1)
		}
		plain, i = stop, stop-1
	}
}

// standaloneURL returns the range of the URL whose scheme ends at i; 0, 0 if there is none.
func standaloneURL(text []byte, plain, i int) (start, end int) {
	start = i
	for start > plain && i-start <= maxScheme && (ascii.IsAlnum(text[start-1]) || text[start-1] == '+' || text[start-1] == '-' || text[start-1] == '.') {
		start--
	}
	if start == i || !schemes()[strings.ToLower(string(text[start:i]))] || !startsAfter(text, start) {
		return 0, 0
	}
	end = uriEnd(text, i+1)
	path := uriRun(text, i+1)
	if query := uriRun(text, min(path+1, len(text))); hasPart(text, path, '?') {
		if e := uriEnd(text, path+1); e > 0 {
			end = e
		}
		if hasPart(text, query, '#') {
			path = query
		}
	}
	if hasPart(text, path, '#') {
		if e := uriEnd(text, path+1); e > 0 {
			end = e
		}
	}
	if end == 0 {
		return 0, 0
	}
	return start, end
}

// hasPart reports whether a component of a URL may end at i, because another one that begins with mark follows.
func hasPart(text []byte, i int, mark byte) bool {
	return i < len(text) && text[i] == mark && classes[text[i-1]]&isURIEnd != 0
}

// uriRun returns the end of the run of URL characters that begins at i.
func uriRun(text []byte, i int) int {
	for ; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && classes[text[i+1]]&isURIChar != 0 {
			i++
			continue
		}
		if classes[text[i]]&isURIChar == 0 {
			break
		}
	}
	return i
}

// uriEnd returns the end of a component of a URL: the last place in its run at which a URL may end,
// or 0 if there is none.
func uriEnd(text []byte, i int) int {
	for k := uriRun(text, i); k > i; k-- {
		c := text[k-1]
		if k < len(text) && text[k] == '>' && classes[c]&isURIChar != 0 || classes[c]&isURIEnd != 0 && endsBefore(text, k) {
			return k
		}
	}
	return 0
}

// standaloneMail returns the range of the address whose "@" is at i; 0, 0 if there is none.
func standaloneMail(text []byte, plain, i int) (start, end int) {
	start = i
	for start > plain && (classes[text[start-1]]&isMailChar != 0 || text[start-1] == '.') {
		start--
	}
	for start < i && (!startsAfter(text, start) || text[start] == '.') { // "(" and "/" may precede it
		start++
	}
	if start == i || text[i-1] == '.' || i > 0 && text[i-1] == '\\' {
		return 0, 0
	}
	k := i + 1
	for k < len(text) && (classes[text[k]]&isMailChar != 0 || text[k] == '.' && k > i+1) {
		k++
	}
	for ; k > i+2; k-- { // docutils wants two characters
		if classes[text[k-1]]&isURIEnd != 0 && endsBefore(text, k) || k < len(text) && text[k] == '>' {
			return start, k
		}
	}
	return 0, 0
}

// hasScheme reports whether a target is a URL with a scheme.
func hasScheme(uri []byte) bool {
	i := bytes.IndexByte(uri, ':')
	return i > 0 && i <= maxScheme && i+1 < len(uri) && schemes()[strings.ToLower(string(uri[:i]))]
}
