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

// An reportFile is a report of --report, besides the output.
type reportFile struct {
	name  string // of the file
	write func(*report.Run, io.Writer) error
	log   joblog.Form
	file  *atomicfile.File
}

// parseReports parses the values of --report: FORMAT=FILE.
func parseReports(values []string) (all []reportFile, err error) {
	for _, v := range values {
		format, name, ok := strings.Cut(v, "=")
		switch form := output.FormNamed(format); {
		case !ok || name == "":
			return nil, fmt.Errorf("--report %q: give FORMAT=FILE, such as sarif=links.sarif", v)
		case form.Report == nil:
			return nil, cli.BadValue("--report", format, output.ReportForms())
		default:
			all = append(all, reportFile{name: name, write: form.Report, log: form.Log})
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

// reportNames returns the names of the files of --report.
func (o *auditOptions) reportNames() (names []string) {
	for _, v := range o.reports {
		_, name, _ := strings.Cut(v, "=")
		names = append(names, name)
	}
	return names
}

// createReports opens the outputs of --report, and returns the names of their temporary files.
func (a *auditRun) createReports() (temps []string, err error) {
	a.reports, err = parseReports(a.options.reports)
	if err != nil {
		return nil, err
	}
	for i := range a.reports {
		x := &a.reports[i]
		x.file, err = atomicfile.Create(x.name, io.Discard, output.Replaceable(x.name))
		if err != nil {
			return temps, err
		}
		x.file.SetForm(x.log)
		temps = append(temps, x.file.Temp())
	}
	return temps, nil
}

// discardReports removes what an unsuccessful run has left.
func (a *auditRun) discardReports() {
	for _, x := range a.reports {
		if x.file != nil {
			x.file.Discard()
		}
	}
}

// writeReports writes the outputs of --report.
func (a *auditRun) writeReports(run *report.Run) error {
	for _, x := range a.reports {
		w := bufio.NewWriterSize(x.file, 64<<10)
		if err := errors.Join(x.write(run, w), w.Flush()); err != nil {
			return fmt.Errorf("--report %q: %w", x.name, err)
		}
	}
	return nil
}

// commitReports gives the outputs of --report their names.
func (a *auditRun) commitReports() (err error) {
	for _, x := range a.reports {
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
