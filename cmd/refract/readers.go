package main

import (
	"example.org/refract/cmd/refract/internal/jsontext"
	"example.org/refract/resolve"
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
	readers := resolve.Readers(ref)
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
func firstHost(readers []resolve.Reader) string {
	for _, reader := range readers {
		if reader.OK {
			return reader.Host
		}
	}
	return ""
}
