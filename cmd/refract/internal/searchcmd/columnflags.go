package searchcmd

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/pflag"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/output"
)

// columnOptions are the flags of columns with types.
type columnOptions struct {
	arrow    bool
	parquet  string
	fileSize cli.ByteSize
	dataURLs string // --data-urls
	sortBy   string // --sort-by
}

func (o *columnOptions) isColumns() bool { return o.arrow || o.parquet != "" }

// dataValues are the values of --data-urls.
var dataValues = []string{"short", "full"}

// validateColumns checks the flags of columns with types.
func (o *options) validateColumns(flags *pflag.FlagSet) error {
	if flags.Changed("file-size") && (o.parquet == "" || output.IsParquetFile(o.parquet)) {
		return errors.New("--file-size requires --parquet and a directory")
	}
	if o.fileSize < 1 {
		return fmt.Errorf("--file-size %v: must be at least 1", o.fileSize)
	}
	switch {
	case flags.Changed("sort-by") && !slices.Contains(output.SortKeys, o.sortBy):
		return cli.BadValue("--sort-by", o.sortBy, output.SortKeys)
	case o.sortBy != "" && o.parquet == "":
		return errors.New("--sort-by requires --parquet")
	case o.sortBy != "" && o.fields != nil && !slices.Contains(o.fields, "url"):
		return errors.New("--sort-by requires the column url: add it to --fields")
	case !slices.Contains(dataValues, o.dataURLs):
		return cli.BadValue("--data-urls", o.dataURLs, dataValues)
	case flags.Changed("data-urls") && !o.isColumns():
		return errors.New("--data-urls requires --parquet or --format arrow: other forms have whole URLs")
	}
	return nil
}

// rows returns what the rows or lines of the run are written to, given the writer of its output.
func (s *search) rows(w io.Writer) io.Writer {
	if s.columns != nil {
		return s.columns
	}
	return w
}

// sortMemory returns how much of --memory is for --sort-by.
func (o *options) sortMemory() int64 {
	switch {
	case o.sortBy == "":
		return 0
	case o.isDistinct():
		return max(1, int64(o.memory)/2)
	}
	return int64(o.memory)
}

func (s *search) commitColumns() error {
	if s.columns == nil {
		return nil
	}
	return s.columns.Commit()
}

// needsField reports whether the output has a field that is only computed on request.
func (o *options) needsField(name string) bool {
	return o.json && o.cfg.Details || slices.Contains(o.columnNames(), name)
}

// needRecords reports whether the output has fields of records, and whether it has their places in the
// file.
func (o *options) needRecords() (any, places bool) {
	if o.json && o.cfg.Details {
		return true, true
	}
	for _, name := range o.fields {
		any = any || output.Fields[output.FieldIndex(name)].Scope == output.OfRecord
	}
	return any, slices.Contains(o.fields, "record_offset") || slices.Contains(o.fields, "record_length")
}
