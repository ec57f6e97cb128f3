package scan

// A Code says what a Note is about, for programs. The Text of a Note is for people, and may change; its
// Code does not.
type Code string

const (
	CodeBaseIgnored     Code = "base-ignored"     // a base that does not count: a second one, or one nested too deeply
	CodeDamaged         Code = "damaged"          // an archive, or a member of one, that cannot be read to its end
	CodeDuplicateLabel  Code = "duplicate-label"  // a label that is defined again: the first definition counts
	CodeEntityLimit     Code = "entity-limit"     // entities whose text is too long are left as written
	CodeInternal        Code = "internal"         // the code that reads an entity has failed: the rest of it is lost
	CodeInvalidBase     Code = "invalid-base"     // a base that is not absolute, or cannot be one
	CodeInvalidData     Code = "invalid-data"     // a data block that cannot be read
	CodeInvalidItem     Code = "invalid-item"     // an Item of an added Format whose Span is not in the document
	CodeInvalidSrcset   Code = "invalid-srcset"   // an image candidate that browsers drop
	CodeMalformed       Code = "malformed"        // a message or notebook that breaks the rules of its format
	CodePartial         Code = "partial"          // a piece of a message, or of a record, that continues elsewhere
	CodeScript          Code = "script"           // with Choices: a script in a page, of which there may be more
	CodeSimplified      Code = "simplified"       // the document is scanned in a simpler way that ignores headings
	CodeTooDeep         Code = "too-deep"         // nested too deeply; not read
	CodeTooLarge        Code = "too-large"        // over the limit: the rest is not read, or is read in a simpler way
	CodeTooLong         Code = "too-long"         // a run without white space that is too long for a reference
	CodeUnclosed        Code = "unclosed"         // a tag, a comment or another construct that nothing closes
	CodeUndefinedLabel  Code = "undefined-label"  // [text][label] with an undefined label
	CodeUndeclared      Code = "undeclared"       // quoted-printable that no header declares, or JSON by its first bytes
	CodeUnknownCharset  Code = "unknown-charset"  // an unknown charset label
	CodeUnknownEncoding Code = "unknown-encoding" // a transfer or content encoding that is unknown or cannot be decoded
	CodeUnreadType      Code = "unread-type"      // an unread type: an attachment, a record, a file
	CodeAsText          Code = "as-text"          // a file of an unread type, given by name: scanned as running text
	CodeUnread          Code = "unread"           // not read for a reason other than its size or depth
)
