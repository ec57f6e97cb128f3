package scan

// A Place is where a reference is written in a document.
type Place struct {
	How    How
	In     string // as of Item
	Before byte   // the byte before it; 0 if there is none
}

// Unfinished is a reference that is being written.
type Unfinished struct {
	Start int  // offset in the line, in bytes
	How   How  // of the reference
	Quote byte // the byte that ends it; 0 means white space or a bracket

	// Kind tells what it may point to: a Link to a document, an Embed to an image, a Definition to either, and
	// Text to anything.
	Kind Kind
}
