package rewrite

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"example.org/refract/cmd/refract/internal/atomicfile"
	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/fix"
	"example.org/refract/cmd/refract/internal/joblog"
	"example.org/refract/cmd/refract/internal/jsontext"
	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/internal/input"
)

// A rewriteOutput writes documents, and what has changed in them.
type rewriteOutput struct {
	options  *rewriteOptions
	renderer output.Renderer
	stderr   io.Writer
	w        *bufio.Writer
	buf      []byte
	writing  sync.Mutex // held while a document is being written

	documents, references, files, left, errors int
	refused                                    map[string]int // files that are never edited, by reason
}

func newRewriteOutput(o *rewriteOptions, cmd *cobra.Command) *rewriteOutput {
	if o.showsDiff() {
		joblog.SetForm(cmd.OutOrStdout(), joblog.Patch)
	}
	w := &rewriteOutput{options: o, stderr: cmd.ErrOrStderr(), w: bufio.NewWriter(cmd.OutOrStdout()), refused: map[string]int{}}
	w.renderer.Terminal = cli.IsTerminal(cmd.OutOrStdout())
	w.renderer.Colour = cli.Coloured(cmd.Flag("color").Value.String(), w.renderer.Terminal)
	return w
}

// take writes a document, unless nothing in it changes, and reports what has changed in it.
func (w *rewriteOutput) take(file input.File, err error, r *fix.Rewriting) {
	switch {
	case err != nil:
		w.fail("%v", cli.WithName(file, err))
		return
	case r.Err != nil:
		w.fail("%v", cli.WithName(file, r.Err))
		return
	case r.Refused != "" && file.Named:
		w.fail("%q cannot be rewritten: %s", file.Name, r.Refused)
		return
	case r.Refused != "":
		if !atomicfile.IsTemp(file.Path) {
			w.refused[r.Refused]++
		}
		return
	}
	w.documents++
	if r.New != nil && !w.options.dryRun {
		w.writing.Lock()
		err := r.Write()
		w.writing.Unlock()
		if err != nil {
			w.fail("%v", err)
			return
		}
	}
	if n := r.Edited(); n > 0 {
		w.references += n
		w.files++
	}
	w.left += len(r.Changes) - r.Edited()
	w.show(file.Name, r)
}

func (w *rewriteOutput) fail(format string, args ...any) {
	w.errors++
	w.w.Flush()
	fmt.Fprintf(w.stderr, "refract: %s\n", cli.VisibleLines(fmt.Sprintf(format, args...)))
}

// show writes the changes of a document in the form that the flags select.
func (w *rewriteOutput) show(name string, r *fix.Rewriting) {
	o := w.options
	if o.showsDiff() {
		w.w.Write(r.AppendDiff(w.buf[:0], w.renderer.Colour))
	}
	for _, c := range r.Changes {
		switch {
		case o.json:
			w.buf = jsontext.AppendLine(w.buf[:0], newJSONChange(name, c))
			w.w.Write(w.buf)
		case o.quiet:
		case c.Why != "":
			w.w.Flush()
			fmt.Fprintf(w.stderr, "refract: %s:%d:%d: not rewritten: %s\n", cli.OneLine(name), c.Pos.Line, c.Pos.Column, cli.OneLine(c.Why))
		case !o.dryRun:
			w.buf = append(w.renderer.AppendPlace(w.buf[:0], cli.OneLine(name), c.Pos), ' ')
			w.buf = append(cli.AppendVisible(w.buf, []byte(c.Ref)), " -> "...)
			w.buf = append(cli.AppendVisible(w.buf, []byte(c.NewRef)), '\n')
			w.w.Write(w.buf)
		}
	}
}

// finish writes the summary, and returns the exit status.
func (w *rewriteOutput) finish() error {
	o := w.options
	if o.json {
		w.w.Write(jsontext.AppendLine(nil, jsonRewriteSummary{"summary", w.documents, w.files, w.references, w.left, w.refused, w.errors}))
	}
	if err := w.w.Flush(); err != nil {
		return err
	}
	if !o.quiet {
		cli.NoteGlobs(w.stderr, o.walk.GlobUse)
	}
	if !o.quiet && !o.json {
		verb := "to rewrite"
		if !o.dryRun {
			verb = "rewritten"
		}
		fmt.Fprintf(w.stderr, "refract: %s, %s %s in %s\n", cli.Count(w.documents, "document"), cli.Count(w.references, "reference"), verb, cli.Count(w.files, "file"))
		if w.left > 0 {
			fmt.Fprintf(w.stderr, "refract: %s could not be rewritten\n", cli.Count(w.left, "reference"))
		}
		reasons := map[string]int{} // without media types
		for why, n := range w.refused {
			why, _, _ = strings.Cut(why, ": ")
			reasons[why] += n
		}
		for _, why := range slices.Sorted(maps.Keys(reasons)) {
			fmt.Fprintf(w.stderr, "refract: %s left alone: %s\n", cli.Count(reasons[why], "file"), why)
		}
	}
	if w.errors > 0 {
		return cli.Status(cli.ExitFailed)
	}
	return nil
}

// A jsonChange is a line of --json about a reference.
type jsonChange struct {
	Type   string `json:"type"`
	Input  string `json:"input,omitempty"`
	B64    string `json:"input_b64,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	Offset int64  `json:"offset"`
	Length int    `json:"length"`
	Kind   string `json:"kind"`
	How    string `json:"how"`
	In     string `json:"in,omitempty"`
	Raw    string `json:"raw"`
	Ref    string `json:"ref"`
	URL    string `json:"url,omitempty"`
	NewRaw string `json:"new_raw,omitempty"`
	NewRef string `json:"new_ref"`
	NewURL string `json:"new_url,omitempty"`
	Why    string `json:"message,omitempty"`
}

func newJSONChange(name string, c *fix.Change) *jsonChange {
	j := &jsonChange{
		Type: "rewritten", Line: c.Pos.Line, Column: c.Pos.Column, Offset: c.Pos.Offset, Length: c.Pos.Length,
		Kind: c.Kind.String(), How: c.How.String(), In: c.In, Raw: c.Raw, Ref: c.Ref, URL: knownURL(c.URL),
		NewRaw: c.NewRaw, NewRef: c.NewRef, NewURL: knownURL(c.NewURL), Why: c.Why,
	}
	j.Input, j.B64 = jsontext.TextOrBase64(name)
	if c.Why != "" {
		j.Type = "not-rewritten"
	}
	return j
}

// knownURL returns u, or "" if it begins with the URL that stands for an unknown one.
func knownURL(u string) string {
	if len(u) >= len(noRoot) && u[:len(noRoot)] == noRoot {
		return ""
	}
	return u
}

// A jsonRewriteSummary is the last line of --json.
type jsonRewriteSummary struct {
	Type       string         `json:"type"`
	Documents  int            `json:"documents"`
	Files      int            `json:"files"`
	References int            `json:"rewritten"`
	Left       int            `json:"not_rewritten"`
	Refused    map[string]int `json:"not_edited,omitempty"` // files, by reason
	Errors     int            `json:"errors"`
}
