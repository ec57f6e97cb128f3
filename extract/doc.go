// Package extract finds the URL references of documents and resolves them. For each reference it
// reports the position, the base URL that applied and why, and the absolute URL. Use it
// for files and streams of any format: it finds out the type and charset. The packages below it read one
// format each.
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
// A document contains references ("../x#s"). Resolving a reference against a base gives a URL. An
// entity is a sequence of bytes with one media type and one base. A scanner (the packages below this
// one, some of them internal) reports the contents of one entity as Items. The walker, in this package,
// is the only code that resolves references and descends into nested entities.
//
// # Formats
//
// A Format is one kind of document, and a Container a kind of file that holds documents. Formats
// and Containers list the built-in ones: running text, messages, HTML, XML and CSS, the markup
// languages of documentation, notebooks, PDF, RTF; mailboxes, archives of crawlers, ZIP and tar,
// books and office documents, messages of Outlook. A program adds its own with Config.Formats and
// Config.Containers.
//
// # Bounds
//
// Time is linear in the size of the input, for every input. No input is an error: malformed or
// unusual input yields fewer references, and a Note.
//
// Running text is read in windows, so a Walk of an input of any size holds about 1.2 MiB; with a
// charset or Config.Undo to decode, it also holds the decoded text and a map of offsets. Documents of
// all other formats are held up to Config.MaxEntity (32 MiB): a Walk then holds up to twice as much,
// or five times as much if a charset has to be decoded. Messages may have any size: parts that are
// not read are skipped, and the others are held up to Config.MaxEntity together. Archives are read in
// pieces of at least 1 MiB; a plausible Content-Length makes a Walk read up to 16 MiB ahead. Entities
// are decoded up to 16 deep. The body of a record decompresses to at most Config.MaxEntity, and at
// most 64 KiB plus 1,032 times its size. A Walk reads at most 64 MiB of the members of a Container,
// or 1,032 times the size of the Container if that is more. A reference has at most 64 KiB; longer
// ones are notes.
package extract
