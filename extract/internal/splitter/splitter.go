// Package splitter holds what splitters of archives of messages and of crawlers have in common: where their members end.
package splitter

// A Splitter finds where the members of one container end: messages in a mailbox or a batch of news,
// records in a crawler's archive. A Splitter is used for one container, from its beginning, or from
// the beginning of a member if its fields hold what the earlier members have shown.
type Splitter interface {
	// Next returns the piece that src begins with. atEOF says that src ends the input; then ok is true.
	// src is not empty. The first piece begins with the first byte of the container.
	//
	// If ok is false, Next needs more bytes; call it again with a longer src and p.End as from. from is
	// 0 for a new piece. So each byte is searched once, except for a few lines and headers, however src
	// grows, and the length of src does not affect where pieces end.
	//
	// If a member is too large to be held, the caller may cut off all of it except the byte before
	// p.End, and search the rest from there.
	Next(src []byte, from int, atEOF bool) (p Piece, ok bool)
}

// A Piece is the result of Next: a member with everything that the container adds to it (the line
// before it, the header, the line ends after it), or bytes that are not a member. NoDefect means
// that the member ends where the container says, or where the next one begins.
type Piece struct {
	End    int   // where it ends, in bytes from its beginning
	Skip   int64 // for a Cut piece: the number of bytes after End that belong to it, too
	Defect Defect

	// Quoted says that the bytes that this call searched have lines before which the container has put
	// a ">". They are to be unquoted.
	Quoted bool

	// Need is, if ok is false, how many bytes Next probably needs, as far as a header says; 0 if that
	// is unknown.
	Need int
}

// Defect says what is wrong with a Piece.
type Defect uint8

const (
	NoDefect    Defect = iota // a member, as long as it should be
	WrongLength               // a member that ends where the next one begins: its length leads elsewhere, or it has none
	Truncated                 // a member that the end of the input cuts off
	Cut                       // the beginning of a member that is larger than the limit
	NotMember                 // not a member, or the rest of one that was cut
)
