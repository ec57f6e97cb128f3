package auditcmd

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"strings"

	"example.org/refract/cmd/refract/internal/auditflags"
	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/joblog"
	"example.org/refract/cmd/refract/internal/jsontext"
	"example.org/refract/internal/audit"
)

// A jsonPage is a line of "refract audit --routes --json".
type jsonPage struct {
	Type      string       `json:"type"`
	Input     string       `json:"input"`
	Generator string       `json:"generator,omitempty"`
	Config    string       `json:"config,omitempty"`
	URL       string       `json:"url,omitempty"`
	Aliases   []string     `json:"aliases,omitempty"`
	Why       string       `json:"why,omitempty"`
	Built     string       `json:"built,omitempty"`
	BuiltBy   string       `json:"built_by,omitempty"`
	Anchors   []jsonAnchor `json:"anchors,omitempty"`
}

// A jsonRedirect is a redirect in the output of "refract audit --routes --json".
type jsonRedirect struct {
	Type  string `json:"type"`
	Input string `json:"input"`
	URL   string `json:"url,omitempty"`
	From  string `json:"from"`
	To    string `json:"to"`
}

type jsonAnchor struct {
	ID   string `json:"id"`
	Line int    `json:"line,omitempty"`
}

// routes lists where documents are published: source, URL and aliases, separated by tabs.
func (a *auditRun) routes() error {
	o := a.options
	o.Paths = a.args
	o.Spell()
	pages, result, err := audit.Pages(context.Background(), o.Options, o.anchors)
	if err != nil {
		return auditflags.Named(err)
	}
	joblog.SetForm(a.stdout, o.log())
	a.w = bufio.NewWriterSize(a.stdout, 64<<10)
	for i := range pages {
		if o.format == "json" {
			a.w.Write(jsontext.AppendLine(nil, newJSONPage(&pages[i])))
			continue
		}
		a.writePage(&pages[i])
	}
	if o.format == "json" {
		for _, r := range result.Redirects() {
			a.w.Write(jsontext.AppendLine(nil, &jsonRedirect{"redirect", r.File, r.URL, r.From, r.To}))
		}
	}
	result.Release()
	if err := a.w.Flush(); err != nil {
		return err
	}
	if !o.quiet {
		writeLearnt(a.stderr, result)
	}
	for _, f := range result.Errors {
		fmt.Fprintf(a.stderr, "refract: %s\n", cli.OneLine(f.Err.Error()))
	}
	if len(result.Errors) > 0 {
		return cli.Status(cli.ExitFailed)
	}
	return nil
}

func newJSONPage(p *audit.Page) *jsonPage {
	j := &jsonPage{Type: "page", Input: p.File, Generator: p.Generator, Config: p.Config, URL: p.URL, Aliases: p.Aliases, Why: p.Why.String(), Built: p.Built, BuiltBy: p.BuiltBy}
	for _, anchor := range p.Anchors {
		j.Anchors = append(j.Anchors, jsonAnchor{anchor.ID, anchor.Line})
	}
	return j
}

// writePage writes a page as text, with each of its anchors on a line of its own.
func (a *auditRun) writePage(p *audit.Page) {
	line := cli.OneLine(cmp.Or(p.File, p.Built)) + "\t"
	if p.URL != "" {
		line += cli.OneLine(p.URL)
	} else {
		line += "-"
	}
	switch {
	case len(p.Aliases) > 0:
		line += "\t" + cli.OneLine(strings.Join(p.Aliases, " "))
	case !p.Why.IsZero():
		line += "\t(" + cli.OneLine(p.Why.String()) + ")"
	}
	if p.BuiltBy != "" {
		line += "\tbuilt: " + cli.OneLine(p.Built) + ", by " + p.BuiltBy
	}
	a.w.WriteString(line + "\n")
	for _, anchor := range p.Anchors {
		fmt.Fprintf(a.w, "%s:%d\t%s#%s\n", cli.OneLine(p.File), anchor.Line, cli.OneLine(p.URL), cli.OneLine(anchor.ID))
	}
}
