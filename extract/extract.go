// Package extract finds the URL references of documents and resolves them. For each reference it reports
// the position, the base URL that applied and why, and the absolute URL. Use it for files and streams of
// any format: it detects the type and charset. The packages below it read one format each.
//
//	var cfg extract.Config // the zero value works
//	for ref, err := range cfg.Walk(name, r) {
//		if err != nil {
//			return err // r is unreadable; nothing follows
//		}
//		fmt.Printf("%s\n", ref.URL)
//	}
//
// # Terms
//
// A document contains references ("../x#s"). Resolving a reference against a base gives a URL. An entity is
// a sequence of bytes with one media type and one base. A scanner (the packages below this one, some of
// them internal) reports the contents of one entity as Items. The walker, in this package, is the only code
// that resolves references and descends into nested entities.
//
// # Formats
//
// A Format is one kind of document, and a Container a kind of file that holds documents. Formats and
// Containers list the built-in ones: running text, messages, HTML, XML and CSS, the markup languages of
// documentation, notebooks, PDF, RTF; mailboxes, crawl archives, ZIP and tar, books and office documents,
// messages of Outlook. A program adds its own with Config.Formats and Config.Containers.
//
// # Bounds
//
// Time is linear in the size of the input, for every input. No input is an error: malformed or unusual
// input yields fewer references, and a Note.
//
// Running text is read in windows, so a Walk of an input of any size holds about 1.2 MiB. With a charset or
// Config.Undo to decode, it also holds the decoded text and a map of offsets. Documents of all other
// formats are held up to Config.MaxEntity (32 MiB). A Walk then holds up to twice as much, or five times as
// much if a charset has to be decoded. Messages may have any size: parts that are not read are skipped, and
// the others are held up to Config.MaxEntity together.
//
// Archives are read in pieces of at least 1 MiB; a plausible Content-Length makes a Walk read up to 16 MiB
// ahead. Entities are decoded up to 16 deep. The body of a record decompresses to at most Config.MaxEntity,
// and at most 64 KiB plus 1,032 times its size. A Walk reads at most 64 MiB of the members of a Container,
// or 1,032 times the size of the Container if that is more. A reference has at most 64 KiB; longer ones are
// notes.
package extract

import (
	"errors"
	"io"
	"iter"
)

// Walk yields the references of the input that r reads, in source order. An error of r is the last element,
// after the references of everything read before it. name is for the Entity, and its suffix helps to detect
// the type of the input. The iterator is single-use.
//
// r may be a stream that pauses, such as a pipe or a connection: in running text, Walk yields a reference
// as soon as the bytes that r has returned decide about it, before it reads more. That is at the latest at
// the white space after the reference, or, if the reference ends a line of 60 bytes or more and may
// continue, at the first word of the next line. If neither name nor Config.Type gives a type, the first
// lines decide about that: those that may begin a message, markup or TeX are read up to 4 KiB. All other
// documents, and text with a charset or Config.Undo to decode, are read as files are.
//
// To cancel a Walk, stop the loop, or let a Read of r return the error of a context: Walk reads no further,
// and yields what precedes the error.
//
// If the code that reads a document, message or record panics, such as the Scan of a Format, Walk continues
// after that document, message or record, and calls Note for each panic. The last element is then the first
// panic, a *PanicError.
func (c *Config) Walk(name string, r io.Reader) iter.Seq2[*Reference, error] {
	return func(yield func(*Reference, error) bool) {
		var prev *Batch
		var failure error
		for b, err := range c.batches(name, r, readiness(r)) {
			if err != nil {
				if failure != nil {
					err = errors.Join(err, failure)
				}
				failure = err
				break
			}
			for ref := range b.References() {
				if !yield(ref, nil) {
					return
				}
			}
			if failure == nil {
				failure = b.Err()
			}
			prev.Release()
			prev = b
		}
		prev.Release()
		if failure != nil {
			yield(nil, failure)
		}
	}
}

// All returns copies of the references that refs yields, which stay valid, and the first error. Use it to
// collect the references of a Walk: Walk itself reuses one Reference.
//
//	refs, err := extract.All(cfg.Walk(name, r))
func All(refs iter.Seq2[*Reference, error]) ([]*Reference, error) {
	var all []*Reference
	for r, err := range refs {
		if err != nil {
			return all, err
		}
		all = append(all, r.Clone())
	}
	return all, nil
}
