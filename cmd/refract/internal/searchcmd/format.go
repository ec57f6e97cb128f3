package searchcmd

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/output"
)

// notWith has the names of the flags that cannot be used with a form of the output, by the name of the form.
var notWith = map[string]string{
	"json":     "null",
	"csv":      "null explain line-number",
	"tsv":      "null explain line-number",
	"edges":    "line-number explain parser-differences unwrap count",
	"frontier": "fields count line-number explain unresolved parser-differences unwrap",
	"arrow":    "line-number explain null count checkpoint split",
	"parquet":  "line-number explain null count checkpoint split output",
}

// notWithAges has those that cannot be used with --unique=first and --unique=last.
const notWithAges = "count fields line-number explain null unresolved parser-differences unwrap checkpoint"

// form returns the name of the form in which the output is written, and how the command line says so.
func (o *options) form() (name, written string) {
	switch {
	case o.parquet != "":
		return "parquet", "--parquet"
	case o.json:
		return "json", "--json"
	case o.csv.IsSet():
		return "csv", "--csv"
	case o.edges:
		return "edges", "--edges"
	case o.format != "":
		return o.format, "--format " + o.format
	}
	return "text", ""
}

// applyFormat sets what the form of the output and the chosen fields need, and reports flags that do not fit.
func (o *options) applyFormat(flags *pflag.FlagSet) error {
	if flags.Changed("parquet") && o.parquet == "" {
		return errors.New("--parquet requires a name")
	}
	name, written := o.form()
	if err := without(flags, written, notWith[name]); err != nil {
		return err
	}
	switch name {
	case "json":
		o.json = true
	case "edges":
		o.edges = true
	case "frontier":
		o.frontier = true
		o.configureFrontier()
	case "csv", "tsv":
		if !o.csv.IsSet() {
			o.csv.Value = "true"
		}
	case "arrow":
		o.arrow = true
	case "text":
	case "parquet":
		if o.parquet == "" {
			return cli.BadFormat(name, output.SearchForms())
		}
	default:
		return cli.BadFormat(name, output.SearchForms())
	}
	if o.fields != nil {
		if err := o.applyFields(); err != nil {
			return err
		}
	}
	for _, name := range o.columnNames() {
		if err := o.needs(name); err != nil {
			return err
		}
	}
	return nil
}

// without reports a flag of a list of names that is set and cannot be used with another.
func without(flags *pflag.FlagSet, with, names string) error {
	for name := range strings.FieldsSeq(names) {
		if flags.Changed(name) {
			return fmt.Errorf("--%s cannot be used with %s", name, with)
		}
	}
	return nil
}

// applyFields checks --fields, and sets the flags that the chosen fields need.
func (o *options) applyFields() error {
	if !o.csv.IsSet() && !o.isColumns() {
		if o.json || o.edges || o.format != "" {
			return errors.New("--fields requires --csv, --parquet, or --format tsv or arrow")
		}
		o.csv.Value = "true"
	}
	names := output.Selectable()
	for _, name := range o.fields {
		if !slices.Contains(names, name) {
			return cli.BadValue("--fields", name, names)
		}
	}
	return nil
}

// needs sets the flags that a field needs.
func (o *options) needs(name string) error {
	switch name {
	case "text", "rel", "hreflang", "media_type":
		o.cfg.Details = true
	case "unwrapped", "unwrapped_host":
		o.unwrap = true
	case "canonical", "domain":
		if o.canonical == nil && o.count == "" {
			return fmt.Errorf("--fields %s requires --canonical", name)
		}
	case "browser_url":
		if !o.cfg.ParserDifferences {
			return fmt.Errorf("--fields %s requires --parser-differences", name)
		}
	}
	return nil
}
