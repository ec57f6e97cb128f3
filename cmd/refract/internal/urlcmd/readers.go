package urlcmd

import (
	"bytes"

	"example.org/refract/cmd/refract/internal/jsontext"
	"example.org/refract/internal/ascii"
	"example.org/refract/resolve/risk"
)

// jsonReaders is a line of --readers.
type jsonReaders struct {
	Type     string `json:"type"`
	Ref      string `json:"ref"`
	Browsers string `json:"browsers,omitempty"`
	Curl     string `json:"curl,omitempty"`
	Python   string `json:"python,omitempty"`
	Go       string `json:"go,omitempty"`
	Differ   bool   `json:"differ,omitempty"`
}

// showReaders prints the host that each reader finds in ref.
func (r *resolver) showReaders(ref []byte) {
	readers := risk.Readers(ref)
	shown := r.printable(ref)
	if r.asJSON {
		hosts := make(map[string]string)
		for _, reader := range readers {
			hosts[reader.Name] = reader.Host
		}
		o := jsonReaders{Type: "readers", Ref: string(shown), Browsers: hosts["browsers"], Curl: hosts["curl"], Python: hosts["python"], Go: hosts["go"]}
		for _, reader := range readers {
			o.Differ = o.Differ || reader.OK && reader.Host != firstHost(readers)
		}
		r.w.Write(jsontext.AppendLine(nil, o))
		return
	}
	parts := []urlPart{{name: "url", values: [][]byte{shown}}}
	for _, reader := range readers {
		host := []byte(reader.Host)
		if !reader.OK {
			host = []byte("(no host, or refused)")
		}
		parts = append(parts, urlPart{name: reader.Name, values: [][]byte{host}})
	}
	r.showParts(parts)
}

// firstHost returns the host that the first successful reader finds.
func firstHost(readers []risk.Reader) string {
	for _, reader := range readers {
		if reader.OK {
			return reader.Host
		}
	}
	return ""
}

// typed cleans a reference that a user has typed or copied. It removes surrounding white space,
// line breaks within, delimiters around it and the prefix "URL:" (the 1997 draft, Appendix E; RFC
// 3986 Appendix C). s must not be used afterwards.
func typed(s []byte) []byte {
	s = withoutBlanks(s)
	if n := len(s); n > 1 && (s[0] == '<' && s[n-1] == '>' || s[0] == '"' && s[n-1] == '"') {
		s = s[1 : n-1]
	}
	if rest, ok := ascii.CutPrefixFold(s, "URL:"); ok {
		s = rest
		if n := len(s); n > 1 && s[0] == '<' && s[n-1] == '>' {
			s = s[1 : n-1]
		}
	}
	return s
}

// withoutBlanks returns s without white space, which no URL contains.
func withoutBlanks(s []byte) []byte {
	return bytes.Join(bytes.Fields(s), nil)
}
