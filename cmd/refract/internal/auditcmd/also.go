package auditcmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"example.org/refract/cmd/refract/internal/atomicfile"
	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/joblog"
	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/cmd/refract/internal/report"
)

// An alsoOutput is a report of --also, besides the output.
type alsoOutput struct {
	name  string // of the file
	write func(*report.Run, io.Writer) error
	log   joblog.Form
	file  *atomicfile.File
}

// parseAlso parses the values of --also: FORMAT=FILE.
func parseAlso(values []string) (all []alsoOutput, err error) {
	for _, v := range values {
		format, name, ok := strings.Cut(v, "=")
		switch form := output.FormNamed(format); {
		case !ok || name == "":
			return nil, fmt.Errorf("--also %q: give FORMAT=FILE, such as sarif=links.sarif", v)
		case form.Report == nil:
			return nil, cli.BadValue("--also", format, output.ReportForms())
		default:
			all = append(all, alsoOutput{name: name, write: form.Report, log: form.Log})
		}
	}
	return all, nil
}

// log returns what the output is in the log of a job.
func (o *auditOptions) log() joblog.Form {
	if o.dryRun {
		return joblog.Patch
	}
	return output.FormNamed(o.format).Log
}

// alsoNames returns the names of the files of --also.
func (o *auditOptions) alsoNames() (names []string) {
	for _, v := range o.also {
		_, name, _ := strings.Cut(v, "=")
		names = append(names, name)
	}
	return names
}

// createAlso opens the outputs of --also, and returns the names of their temporary files.
func (a *auditRun) createAlso() (temps []string, err error) {
	a.also, err = parseAlso(a.options.also)
	if err != nil {
		return nil, err
	}
	for i := range a.also {
		x := &a.also[i]
		x.file, err = atomicfile.Create(x.name, io.Discard, output.Replaceable(x.name))
		if err != nil {
			return temps, err
		}
		x.file.SetForm(x.log)
		temps = append(temps, x.file.Temp())
	}
	return temps, nil
}

// discardAlso removes what an unsuccessful run has left.
func (a *auditRun) discardAlso() {
	for _, x := range a.also {
		if x.file != nil {
			x.file.Discard()
		}
	}
}

// writeAlso writes the outputs of --also.
func (a *auditRun) writeAlso(run *report.Run) error {
	for _, x := range a.also {
		w := bufio.NewWriterSize(x.file, 64<<10)
		if err := errors.Join(x.write(run, w), w.Flush()); err != nil {
			return fmt.Errorf("--also %q: %w", x.name, err)
		}
	}
	return nil
}

// commitAlso gives the outputs of --also their names.
func (a *auditRun) commitAlso() (err error) {
	for _, x := range a.also {
		err = errors.Join(err, x.file.Commit())
	}
	return err
}

// checkSourceURL reports a value of --source-url that is no URL to which a name can be added.
func checkSourceURL(s string) error {
	if s == "" {
		return nil
	}
	filled := strings.NewReplacer("{path}", "a", "{line}", "1").Replace(s)
	u, err := url.Parse(filled)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.ContainsAny(filled, "<>\\{}\"` \t\r\n") {
		return fmt.Errorf("--source-url %q: give an http or https URL, such as https://example.org/o/r/blob/main or one with {path} and {line}", s)
	}
	return nil
}
