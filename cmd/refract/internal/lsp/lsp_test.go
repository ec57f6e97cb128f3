package lsp

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// What stands in front of exit is answered, though all comes in one write, and the input ends.
func TestLSPAtOnce(t *testing.T) {
	frame := func(s string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(s), s) }
	for i := range 20 {
		var out bytes.Buffer
		in := frame(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`) + frame(`{"jsonrpc":"2.0","id":"a","method":"shutdown"}`) +
			frame(`{"jsonrpc":"2.0","method":"exit"}`)
		if i%2 > 0 {
			in = frame(`[{"jsonrpc":"2.0","id":1,"method":"initialize"},{"jsonrpc":"2.0","id":"a","method":"shutdown"},{"jsonrpc":"2.0","method":"exit"}]`)
		}
		if i%4 > 1 {
			in += "garbage that nobody reads"
		}
		ok, err := serve(func(string, []string) (settings, error) { return settings{}, nil }, program{version: "x"}, strings.NewReader(in), &out)
		if !ok || err != nil || !strings.Contains(out.String(), `"id":1,"result"`) || !strings.Contains(out.String(), `"id":"a","result":null`) {
			t.Errorf("%d: %v %v %s", i, ok, err, out.String())
		}
	}
}
