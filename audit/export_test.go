package audit

import (
	"context"

	"example.org/refract/internal/input"
)

// audit runs an audit of args as tests write it.
func (o *Options) audit(args []string, emit func(*Finding)) (*Report, error) {
	o.Paths = args
	return Run(context.Background(), *o, emit)
}

// raw returns the reference of f as written, or "" if f has none.
func raw(f *Finding) string {
	if f.Ref == nil {
		return ""
	}
	return string(f.Ref.Raw)
}

// fullPath returns the absolute path of a file on the disk.
func fullPath(name string) string { return absolute(input.WorkingDir(), name) }
