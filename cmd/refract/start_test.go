package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"example.org/refract/cmd/refract/internal/cli"
)

// A search that begins without subcommands says the same as one with them.
func TestStart(t *testing.T) {
	var names []string
	root := newCommand(nil, nil)
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		names = append(names, append(c.Aliases, c.Name())...)
	}
	for _, name := range names {
		if isSearch([]string{"-n", name}) {
			t.Errorf("%s is no command", name)
		}
	}
	for _, c := range commands {
		if !slices.Contains(names, c.name) {
			t.Errorf("%s has another name", c.name)
		}
	}
	for _, line := range []string{
		"-nh", "-h", "--help", "--h", "help", "--fix", "--jsno", "-Z", "adit", "--json --csv x", "--check rfc1739 x", "--jobs x", "http://h/", "--host",
		"resolve --fix", "--version", "--format", "nothing.here", "--base : x", "help adit", "--json --version", "",
	} {
		args := strings.Fields(line)
		if line == "" {
			args = []string{"--unique=3"}
		}
		var out, messages, wantOut, wantMessages bytes.Buffer
		code := run(args, &out, &messages)
		want := cli.Execute(newCommand(&wantOut, &wantMessages), args, &wantMessages)
		if code != want || out.String() != wantOut.String() || messages.String() != wantMessages.String() {
			t.Errorf("%q: status %d, %q, %q\nwant %d, %q, %q", args, code, out.String(), messages.String(), want, wantOut.String(), wantMessages.String())
		}
	}
}
