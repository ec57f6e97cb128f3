// Package extract finds the URL references of documents and resolves them: for
// each, where it stands, which base applied and why, and the absolute URL.
//
//	var cfg extract.Config // the zero value works
//	for ref, err := range cfg.Walk(name, r) {
//		if err != nil {
//			return err // r is unreadable; nothing follows
//		}
//		fmt.Printf("%s\n", ref.URL)
//	}
//
// # Words
//
// A document says a reference ("../x#s"); resolved against a base it gives a URL.
// An entity is bytes with one media type and one base. A scanner (the packages
// below this one) reports what one entity says. The walker, here, is the only code
// that recurses, resolves, and knows all formats:
//
//	input ─► batches ─► scanner: Items in source order ─► base ─► resolve ─► Reference
//
// # Where things are
//
//	extract.go   Config and Reference: what goes in and out
//	batch.go     an input cut into pieces that can be walked apart
//	archive.go   an archive cut into messages
//	crawl.go     an archive of a crawler: cut into records, and what each does
//	walk.go      the walk: from Items to References
//	parts.go     entities within entities: decoded, and named by each other
//	charset.go   media type and charset of an input
//	stream.go    reading through layers that decode, and the way back
//	undo.go      text written within text: JSON escapes, entities, colours, hxxp
//	readings.go  what browsers make of a reference
//	escape.go    how a URL is put out
//	scan/        what scanners report, and the Map that leads positions back
//	plain/       the scanner of running text
//	markdown/    the scanner of Markdown
//	slug/        the ids that renderers of Markdown give to headings
//	html/        the scanner of HTML, XHTML and SVG
//	xml/         the scanner of other XML: feeds, sitemaps
//	css/         the scanner of style sheets
//	message/     the scanner of messages of mail and news
//	mbox/        where the messages of a mailbox file begin
//	news/        where the articles of a batch of news begin
//	warc/        records of WARC and ARC, and HTTP in them
//
// # Bounds
//
// Time is linear in the input, whatever it is. Text of any size is read in windows:
// one Walk holds about 1.2 MiB, and where a charset or Config.Undo decodes, a Map and
// the text of as much besides. A reference of more than 64 KiB is a note. Messages,
// Markdown, HTML, XML and CSS are held whole up to Config.MaxEntity, 32 MiB: one Walk then
// holds twice as much, and five times where a charset has to be decoded. Archives are read
// message by message, in pieces of at least 1 MiB; a Content-Length that may be right
// makes a Walk read 16 MiB ahead. What a message decodes to is never larger than itself,
// but for its charset, at each of at most 16 encodings in each other. Records of crawlers
// are cut at Config.MaxEntity, and so is what their bodies decode to, or at 64 KiB and
// 1,032 times their size, which is the most that deflate can do.
package extract
