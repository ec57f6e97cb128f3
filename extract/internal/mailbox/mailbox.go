// Package mailbox splits archives of messages into their messages: mailboxes (mbox, MMDF, Babyl) and
// batches of news. The content of a message, including its quoting, is left as it is.
package mailbox

// A Splitter finds where the messages of one archive end. It is used for one archive, from its beginning,
// or from the beginning of a message with the state after the earlier ones.
type Splitter interface {
	// Next returns the piece that src begins with. atEOF says that src ends the input; then ok is true.
	// src is not empty. The first piece begins with the first byte of the archive.
	//
	// If ok is false, Next needs more bytes; call it again with a longer src and p.End as from. from is
	// 0 for a new piece. So each byte is searched once, except for a few lines and headers, however src
	// grows, and the length of src does not affect where pieces end.
	//
	// If a message is too large to be held, the caller may cut off all of it except the byte before
	// p.End, and search the rest from there.
	Next(src []byte, from int, atEOF bool) (p Piece, ok bool)

	// Body returns where the message itself begins and ends in src, a piece that Next found, in bytes, and
	// whether it ends where the archive says.
	Body(src []byte) (start, end int, exact bool)

	// State summarizes the messages so far as far as they affect later ones: a Splitter with this state can begin here.
	State() int
}

// A Piece is the result of Next: a message with everything that the archive adds to it, such as the line
// before it and the line ends after it.
type Piece struct {
	End int // where it ends, in bytes from its beginning

	// Quoted says that the bytes that this call searched have lines before which the archive has put
	// a ">". They are to be unquoted.
	Quoted bool
}

// maxAhead limits how many bytes Next asks for to see whether the length of a message is right: 16 MiB.
const maxAhead = 16 << 20

// stateless is the State of a Splitter for which each message stands by itself.
type stateless struct{}

func (stateless) State() int { return 0 }
