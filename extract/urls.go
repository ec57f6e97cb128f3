package extract

import (
	"sync"

	"example.org/refract/extract/internal/rejoin"
)

// A Join says which bare URLs at the end of a line of running text to join with the next line.
type Join uint8

const (
	JoinNever  Join = iota
	JoinMail        // as JoinProven in messages; none elsewhere
	JoinProven      // those whose whole URL is in the same Batch, Config.Known or Config.Gathered
	JoinLikely      // also those with the label may-continue
)

// Values of Reference.JoinedBy.
const (
	JoinedByText    = "text"    // the whole URL stands in the same input, at Reference.Proof
	JoinedByArchive = "archive" // Config.Gathered
	JoinedByKnown   = "known"   // Config.Known
	JoinedByForm    = "form"    // the next line begins like the rest
	JoinedByLayout  = "layout"  // in a PDF, whatever Config.Join is: by places, fonts and colours
)

// MaxURLs limits the URLs that URLs keeps, which take about 50 bytes each.
const MaxURLs = 1 << 21

// URLs holds the URLs of a whole archive, as evidence for Config.Join: walk its inputs once with
// Config.Gather, then again with Config.Gathered. The zero value is empty. It is safe for concurrent use.
type URLs struct {
	mu    sync.Mutex
	table rejoin.Table
}

// add adds the URLs in text, after transfer encodings and charsets. A nil URLs is allowed.
func (u *URLs) add(text []byte) {
	if u == nil {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.table.Max = MaxURLs
	u.table.AddText(text, -1)
}

// IsFull reports whether there were more than MaxURLs URLs, so that some are missing.
func (u *URLs) IsFull() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.table.IsFull()
}
