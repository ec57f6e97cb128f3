package searchcmd

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"
	"sync/atomic"

	"example.org/refract/base"
	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/jsontext"
	"example.org/refract/internal/input"
	"example.org/refract/resolve"
)

// inputs describes the files that a run reads.
type inputs struct {
	walk       input.Options
	list       string         // --files-from: a file with one name per line; "-" is standard input; "" means that arguments are given
	byteRange  string         // --range, for the only argument; "": the whole file
	rules      *resolve.Rules // rules by which a URL in the list must be usable as a base
	listFailed atomic.Bool    // the list could not be read
}

// files yields the files that args, or the lines of the list, name. For an input that it cannot
// find, it yields an error instead.
func (in *inputs) files(args []string) iter.Seq2[input.File, error] {
	switch {
	case in.byteRange != "":
		return func(yield func(input.File, error) bool) {
			yield(input.File{Name: args[0], Path: args[0], Named: true, Range: in.byteRange}, nil)
		}
	case in.list == "":
		return in.walk.Files(args)
	}
	return in.fromList
}

// maxName limits the length in bytes of a line of --files-from.
const maxName = 64 << 10

// fromList yields the files that the lines of the list name.
func (in *inputs) fromList(yield func(input.File, error) bool) {
	list := io.Reader(os.Stdin)
	if in.list != "-" {
		file, err := os.Open(in.list)
		if err != nil {
			in.listFailed.Store(true)
			yield(input.File{Name: in.list, Path: in.list}, fmt.Errorf("--files-from %q: %w", in.list, input.CauseOf(err)))
			return
		}
		defer file.Close()
		list = file
	}
	lines := bufio.NewReaderSize(input.UTF8(list), maxName)
	for {
		line, tooLong, err := readName(lines)
		more := false
		if tooLong {
			more = yield(input.File{Name: "--files-from"}, fmt.Errorf("--files-from: a line of more than %d bytes is not a name: it begins with %q", maxName, line[:40]))
		} else {
			more = in.fromLine(strings.TrimRight(line, "\r\n"), yield)
		}
		if !more || err == io.EOF {
			return
		}
		if err != nil {
			in.listFailed.Store(true)
			yield(input.File{Name: in.list, Path: in.list}, fmt.Errorf("--files-from %q: %w", in.list, err))
			return
		}
	}
}

// readName reads a line. If it is too long, line holds only its beginning.
func readName(r *bufio.Reader) (line string, tooLong bool, err error) {
	text, err := r.ReadSlice('\n')
	line = string(text)
	for err == bufio.ErrBufferFull {
		tooLong = true
		_, err = r.ReadSlice('\n')
	}
	return line, tooLong, err
}

// fromLine yields the files that a line of the list names, and reports whether to continue.
func (in *inputs) fromLine(line string, yield func(input.File, error) bool) bool {
	if line == "-" {
		return yield(input.File{Name: line, Path: line}, errors.New("--files-from: \"-\" is not a file"))
	}
	if rest, ok := strings.CutPrefix(line, "{"); ok && strings.HasPrefix(strings.TrimSpace(rest), `"`) {
		return in.fromObject(line, yield)
	}
	if line == "" {
		return true
	}
	for file, err := range in.walk.Files([]string{line}) {
		if !yield(file, err) {
			return false
		}
	}
	return true
}

// A listLine is a JSON line of --files-from, which can say more than a path.
type listLine struct {
	Path    string `json:"path,omitempty"`
	PathB64 string `json:"path_b64,omitempty"`
	Name    string `json:"name,omitempty"`
	NameB64 string `json:"name_b64,omitempty"`
	URL     string `json:"url,omitempty"`
	Range   string `json:"range,omitempty"`
	Found   bool   `json:"found,omitempty"` // found in a directory: skip it if it is binary
}

// fromObject yields the files of a JSON line: those of its path, with its name, URL and range.
func (in *inputs) fromObject(line string, yield func(input.File, error) bool) bool {
	l, err := parseListLine(line)
	if err != nil {
		return yield(input.File{Name: line}, fmt.Errorf("--files-from: %q: %w", line, err))
	}
	if l.URL != "" {
		if _, err = base.Root(*in.rules, base.Source{URI: l.URL, From: "--files-from"}, base.Source{}); err != nil {
			return yield(input.File{Name: line}, fmt.Errorf("--files-from: %q: %w", line, err))
		}
	}
	for file, err := range in.walk.Files([]string{l.Path}) {
		if err == nil && !file.Named && l.Name+l.Range != "" {
			return yield(file, fmt.Errorf("--files-from: %q: %q is a directory: list its files", line, l.Path))
		}
		file.URL, file.Range = l.URL, l.Range
		if l.Name != "" {
			file.Name = l.Name
		}
		file.Named = file.Named && !l.Found
		if !yield(file, cli.WithName(file, err)) {
			return false
		}
	}
	return true
}

// plainJSONError rewords err, from package encoding/json, for users.
func plainJSONError(err error) error {
	var (
		value  *json.UnmarshalTypeError
		syntax *json.SyntaxError
	)
	switch {
	case errors.As(err, &value) && value.Field != "":
		return fmt.Errorf("%q must be a %v", value.Field, value.Type)
	case errors.As(err, &value), errors.As(err, &syntax), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("not a JSON object")
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}

// parseListLine parses a JSON line of --files-from.
func parseListLine(line string) (l listLine, err error) {
	in := json.NewDecoder(strings.NewReader(line))
	in.DisallowUnknownFields()
	if err = in.Decode(&l); err != nil {
		return l, plainJSONError(err)
	}
	if _, err = in.Token(); err != io.EOF {
		return l, errors.New("more than one object")
	}
	for _, p := range []struct {
		text *string
		b64  string
	}{{&l.Path, l.PathB64}, {&l.Name, l.NameB64}} {
		if p.b64 != "" {
			b, err := base64.StdEncoding.DecodeString(p.b64)
			if err != nil {
				return l, fmt.Errorf("%q is not base64", p.b64)
			}
			*p.text = string(b)
		}
	}
	switch l.Path {
	case "":
		return l, errors.New("it has no path")
	case "-":
		return l, errors.New("\"-\" is not a file")
	}
	if l.Range != "" {
		_, err = parseByteRange(l.Range)
		return l, err
	}
	return l, nil
}

// newListLine returns the --files-from line for a file.
func newListLine(file input.File) listLine {
	l := listLine{URL: file.URL, Range: file.Range, Found: !file.Named}
	l.Path, l.PathB64 = jsontext.TextOrBase64(file.Path)
	if file.Name != file.Path {
		l.Name, l.NameB64 = jsontext.TextOrBase64(file.Name)
	}
	return l
}
