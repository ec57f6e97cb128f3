// Package source opens the files from which package extract reads references: directories on disk or in an
// [fs.FS], with their ignore rules, compressed files, mail folders and archives. Use it with files and
// directories, as the command takes them; a program that has a reader needs only package extract.
//
//	for f, err := range source.Options{FS: os.DirFS("/var/www")}.Files(".") {
//		if err != nil {
//			log.Print(err) // f is nil; the next file may be readable
//			continue
//		}
//		for ref, err := range f.Walk(extract.Config{}) {
//			…
//		}
//	}
//
// # Directories
//
// Files come in byte order of their names, directory by directory. As with ripgrep and git, entries whose
// names begin with a dot are skipped, and so are those that .gitignore, .ignore and .rgignore exclude. On
// disk, the ignore files of the parent directories apply, and the user's own. Only regular files are read.
// Symbolic links in directories are not followed, so that no loop of links has an effect.
//
// A directory that contains the directories cur, new and tmp is a Maildir (maildir(5)), whose messages are
// in cur and new. A directory with .mh_sequences, or with files whose names are numbers, is an MH folder,
// where ",12" is a deleted message (mh-profile(5)).
//
// A file that is given by name is read whatever its name or kind, and a link is followed. Reading such a
// pipe waits for its writer.
//
// # Compressed files
//
// A file is decompressed if its suffix and its first bytes say how: gzip, bzip2, xz, zstd, LZ4 or compress.
// Crawl archives (.warc, .arc) and batches of news need no suffix. A truncated or damaged file yields the
// contents before the damage, then an error; gzip, zstd and LZ4 continue with the next member. Positions of
// references count in the decompressed bytes.
//
// # Bounds
//
// Memory holds the listings of the directories on the way to the current file. A directory whose path has
// more than 16 KiB is an error, and so is an ignore file of more than 1 MiB. Decompression streams: a
// window of more than 128 MiB (zstd) or a dictionary of more than 64 MiB (xz) is an error. So is a file at
// the point where it has decompressed to more than 1,032 times the bytes read, and more than 1 MiB.
package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path"
	"slices"

	"example.org/refract/extract"
	"example.org/refract/internal/input"
	"example.org/refract/internal/option"
)

// Options select the files of directories. The zero value selects the files on disk that the command reads.
type Options struct {
	// FS has the files; nil is the disk. Symbolic links count if FS is an [fs.ReadLinkFS], but never point
	// outside FS.
	FS fs.FS

	Hidden   bool // also read files and directories whose names begin with a dot
	NoIgnore bool // do not read .gitignore, .ignore and .rgignore

	// Globs are patterns of ripgrep's -g: as in .gitignore, with {a,b} added, and relative to the working
	// directory, or to the root of FS. Prefix a pattern with "!" to exclude; the last match wins. They take
	// precedence over Hidden and ignore files. If at least one includes, files that match none are skipped.
	// They do not apply to files given by name.
	Globs []string

	// Archives opens ZIP and tar archives in directories. Those given by name are always opened, and so are
	// mailboxes, crawl archives and books.
	Archives bool

	// Note, if set, is called for entries of a directory that may hold documents but are not read, in the order
	// of the files: hidden mail folders, repositories of a public-inbox, symbolic links. The text says what the
	// entry is, and why it is not read.
	Note func(name, text string)
}

// Files yields the named files, and the files of the named directories, in the order of names. On disk, a
// relative name is relative to the working directory, and "-" is standard input. In FS, names are as for
// [fs.ValidPath]: "." is its root.
//
// For a file, directory or ignore file that cannot be read, Files yields nil and an error that quotes its
// name, and continues. If the Options or the names are invalid (a malformed glob, no name, a name that FS
// cannot have), the only element is an error that says so.
func (o Options) Files(names ...string) iter.Seq2[*File, error] {
	return func(yield func(*File, error) bool) {
		err := o.check(names)
		if err != nil {
			yield(nil, fmt.Errorf("source: %w", err))
			return
		}
		walk := o.walk()
		if o.FS != nil {
			names = slices.Clone(names)
			for i, name := range names {
				if name == "-" {
					names[i] = "./-" // which is not standard input
				}
			}
		}
		for in, err := range walk.Files(names) {
			var f *File
			if err == nil {
				f = &File{Name: o.name(in.Name), Type: in.Type, Named: in.Named, tree: walk.Tree, path: in.Path, archives: o.Archives}
			}
			if !yield(f, err) {
				return
			}
		}
	}
}

// check returns an error about the first option or name that cannot be meant.
func (o *Options) check(names []string) error {
	for _, glob := range o.Globs {
		err := input.CheckGlob(glob)
		if err != nil {
			return option.Bad("Globs", glob, "%w", err)
		}
	}
	if len(names) == 0 {
		return &option.Error{Name: "names", Value: "[]", Cause: errors.New(`nothing to read: name files or directories, such as "."`)}
	}
	for _, name := range names {
		switch {
		case name == "":
			return option.Bad("names", name, `name a file or directory, such as "."`)
		case o.FS != nil && !fs.ValidPath(name):
			return option.Bad("names", name, "not a name in FS: write it without a slash at its ends, and without . and ..")
		}
	}
	return nil
}

// walk returns o for package input.
func (o *Options) walk() *input.Options {
	note := func(name, text string) {
		if o.Note != nil {
			o.Note(o.name(name), text)
		}
	}
	walk := &input.Options{
		Hidden: o.Hidden, NoIgnore: o.NoIgnore, Globs: o.Globs, Tree: input.Disk{},
		LeftOut: func(name string) { note(name, "a hidden mail folder: not read without Hidden") },
		Link:    func(name, _ string) { note(name, "a symbolic link: not followed") },
		Inbox:   func(name string, _ int) { note(name, "a public-inbox repository: not read, since only git reads it") },
	}
	if o.FS != nil {
		walk.Tree, walk.From, walk.Real = input.Rooted{FS: o.FS, IsReal: true}, "/", true
	}
	return walk
}

// name returns a name as FS has it.
func (o *Options) name(name string) string {
	if o.FS == nil {
		return name
	}
	return path.Clean(name)
}

// A File is a file that Options.Files has found. Its methods may be called more than once, and by several
// goroutines.
type File struct {
	// Name is the name as given, followed, for a file in a directory, by the path below it, with forward
	// slashes.
	Name string
	// Type is the media type, if the directory determines it: "message/rfc822" in a Maildir, otherwise "".
	Type  string
	Named bool // given by name, not found in a directory

	tree     input.Tree
	path     string
	archives bool
}

// Open opens the file for reading, decompressed. A reader of an uncompressed file on disk is an [*os.File],
// so that extract.Config.MapFiles has an effect. The reader of a pipe or terminal has a method Ready()
// bool, by which [extract.Config.Walk] sees that it pauses.
func (f *File) Open() (io.ReadCloser, error) {
	if f.tree == nil {
		return nil, errors.New("source: a File that Options.Files has not made")
	}
	return input.OpenIn(f.tree, f.path, f.Name)
}

// Inner returns Name without the suffix of a compression: "a.tar" for "a.tgz". Package extract uses this
// name to recognise the type of the decompressed file.
func (f *File) Inner() string { return input.Inner(f.Name) }

// Config returns cfg with the known properties of the file: its Type, unless cfg has one; for a file that
// was found in a directory, SkipBinary and, without Options.Archives, Archives.
func (f *File) Config(cfg extract.Config) extract.Config {
	if cfg.Type == "" {
		cfg.Type = f.Type
	}
	if !f.Named {
		cfg.SkipBinary = true
		if !f.archives {
			cfg.Archives = max(cfg.Archives, extract.OpenAttached)
		}
	}
	return cfg
}

// Walk opens the file, and yields its references in source order, as [extract.Config.Walk] does with
// f.Config(cfg). An error is the last element. With cfg.Records, the records of a compressed crawl archive
// have their places in the file.
func (f *File) Walk(cfg extract.Config) iter.Seq2[*extract.Reference, error] {
	return func(yield func(*extract.Reference, error) bool) {
		r, err := f.Open()
		if err != nil {
			yield(nil, err)
			return
		}
		defer r.Close()
		cfg := f.Config(cfg)
		if cfg.Storage == nil {
			stored := input.Locate(r, 0, 0)
			if stored != nil {
				cfg.Storage = stored
			}
		}
		cfg.Walk(f.Inner(), r)(yield)
	}
}
