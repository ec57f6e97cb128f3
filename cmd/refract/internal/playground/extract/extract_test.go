package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	tests := []struct{ name, url, text, want string }{
		{"a.md", "http://h/d/", "[x](y z) [x](y)\n", `{"references":[{"line":1,"column":14,"offset":13,"length":1,"kind":"link","in":"link","raw":"y","base":"http://h/d/","layer":"retrieval","url":"http://h/d/y"}],"count":1}`},
		{"a.md", "", "[x](\xff)\n", `{"references":[{"line":1,"column":5,"offset":4,"length":1,"kind":"link","in":"link","raw":"ÿ","layer":"none","error":"no base"}],"count":1}`},
		{"a.png", "", "\x89PNG\r\n\x1a\n", `{"references":[],"count":0,"notes":["a binary file of type image/png (\"a.png\"): not read"]}`},
	}
	for _, tt := range tests {
		if got := string(find(tt.name, tt.url, []byte(tt.text))); got != tt.want {
			t.Errorf("%s:\n%s, want\n%s", tt.text, got, tt.want)
		}
	}
	var many found
	err := json.Unmarshal(find("a.txt", "", []byte(strings.Repeat("http://h/ ", maxShown+1))), &many)
	if err != nil || many.Count != maxShown+1 || len(many.References) != maxShown {
		t.Errorf("%d of %d references, %v", len(many.References), many.Count, err)
	}
}
