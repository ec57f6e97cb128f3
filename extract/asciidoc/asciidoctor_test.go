package asciidoc

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
)

// TestAsciidoctor reads testdata/asciidoctor.jsonl: classes of differences that were found when the links of
// Asciidoctor 2.0.18 (of Antora 3.1, where a class names it) in the documentation of Spring Boot,
// Couchbase, Neo4j, Spring Security, Redpanda, Hazelcast, Debezium and the Vulkan guide were compared with those of
// this package. Links are in source order, with the suffixes of sources. Where a class says how this package differs,
// the table has its result.
func TestAsciidoctor(t *testing.T) {
	data, err := os.ReadFile("testdata/asciidoctor.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var c struct {
			Class, Text string
			Links, IDs  []string
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		var links, ids []string
		s := Scanner{Anchors: true, Mentions: true}
		for it := range s.Scan([]byte(c.Text)) {
			switch {
			case it.Labels&scan.Conditional != 0:
			case it.Op == scan.Anchor:
				ids = append(ids, string(it.Value))
			case it.Op == scan.Ref, it.Op == scan.Mention:
				links = append(links, it.Meant+string(it.Value))
			}
		}
		if c.IDs == nil && !slices.Equal(links, c.Links) {
			t.Errorf("%s: links %q, want %q", c.Class, links, c.Links)
		}
		if c.IDs != nil && !slices.Equal(ids, c.IDs) {
			t.Errorf("%s: ids %q, want %q", c.Class, ids, c.IDs)
		}
	}
}
