package auditcmd

import (
	"bytes"
	"encoding/binary"
	"io"
	"iter"
	"slices"

	"github.com/klauspost/compress/flate"

	"example.org/refract/extract"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
)

// A findingLog holds findings as bytes, for output that is written once all are known: text, which combines
// findings, pages, and formats of other programs. A finding takes some ten bytes; as an audit.Finding, it
// would take 1,000.
//
// A text is written as the length of the prefix that it shares with the same text of the previous finding,
// and the rest. Successive findings are about the same document, and often about neighbouring files. Full
// blocks are compressed, to a sixth of that.
type findingLog struct {
	// hasReferences is set if references and targets are needed.
	hasReferences bool

	full   []fullBlock
	block  []byte
	before logged
	packer *flate.Writer // nil until a block is full
}

// A fullBlock is a compressed block of a log.
type fullBlock struct {
	packed []byte
	size   int // in bytes, of the block
}

// A logged finding is what output needs of a finding.
type logged struct {
	file, path, rule, message, suggestion, cause string

	raw    string // the reference as written, or only its first byte
	target string // "" if it is not needed

	pos       extract.Position
	isCertain bool
	hasRef    bool // there is a reference
	isQuoted  bool // it is not as written
	hasFacts  bool
	severity  rule.Level
}

// logBlock is the size of the blocks of a log, which do not grow.
const logBlock = 256 << 10

// Flags of a logged finding.
const (
	logCertain = 1 << iota
	logRef
	logQuoted
	logFacts
	logExact
	logNote
	logError
)

func (k *logged) texts() [8]*string {
	return [...]*string{&k.file, &k.path, &k.rule, &k.message, &k.suggestion, &k.cause, &k.raw, &k.target}
}

// add adds f to the log. Its texts are copied.
func (l *findingLog) add(f *audit.Finding) {
	k := logged{
		file: f.File, path: f.Path, rule: string(f.Rule), message: f.Message, suggestion: f.Suggestion, cause: f.Cause,
		pos: f.Pos, severity: f.Severity, isCertain: f.Certain, hasRef: f.Ref != nil, hasFacts: f.Facts != nil, raw: f.Written(), target: f.Target,
	}
	if l.hasReferences {
		k.isQuoted = k.hasRef && !bytes.Equal(f.Ref.Raw, f.Ref.Ref)
	} else {
		k.raw, k.target = k.raw[:min(1, len(k.raw))], ""
	}
	size := 1 + 4*binary.MaxVarintLen64
	for _, s := range k.texts() {
		size += 2*binary.MaxVarintLen64 + len(*s)
	}
	if cap(l.block)-len(l.block) < size {
		l.endBlock()
		l.block = slices.Grow(l.block[:0], max(size, logBlock))
	}
	flags := byte(0)
	for i, is := range [...]bool{k.isCertain, k.hasRef, k.isQuoted, k.hasFacts, k.pos.Exact, k.severity == rule.LevelNote, k.severity == rule.LevelError} {
		if is {
			flags |= 1 << i
		}
	}
	b := append(l.block, flags)
	b = binary.AppendVarint(b, k.pos.Offset)
	for _, n := range [...]int{k.pos.Length, k.pos.Line, k.pos.Column} {
		b = binary.AppendVarint(b, int64(n))
	}
	before := l.before.texts()
	for i, s := range k.texts() {
		same := commonBeginning(*s, *before[i])
		b = binary.AppendUvarint(b, uint64(same))
		b = binary.AppendUvarint(b, uint64(len(*s)-same))
		b = append(b, (*s)[same:]...)
	}
	l.block, l.before = b, k
}

// endBlock compresses the block, so that the next one begins without a finding before.
func (l *findingLog) endBlock() {
	l.before = logged{}
	if len(l.block) == 0 {
		return
	}
	var packed bytes.Buffer
	if l.packer == nil {
		l.packer, _ = flate.NewWriter(nil, flate.BestSpeed) // the only error is about the level
	}
	l.packer.Reset(&packed)
	l.packer.Write(l.block) // to memory, which does not fail
	l.packer.Close()
	l.full = append(l.full, fullBlock{bytes.Clone(packed.Bytes()), len(l.block)})
}

// unpack returns the block of b, in the memory of dst if it is large enough.
func (b *fullBlock) unpack(dst []byte) []byte {
	dst = slices.Grow(dst[:0], b.size)[:b.size]
	if _, err := io.ReadFull(flate.NewReader(bytes.NewReader(b.packed)), dst); err != nil {
		panic(err) // endBlock has written something else
	}
	return dst
}

// commonBeginning returns the number of bytes at the beginning of a and b that are the same.
func commonBeginning(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// all yields the findings in the order in which they were added. Of a reference, only Raw is right, or
// without hasReferences only its first byte, and whether Ref differs from it; of facts, only whether there
// are any.
func (l *findingLog) all() iter.Seq[*audit.Finding] {
	return func(yield func(*audit.Finding) bool) {
		var unpacked []byte
		for i := range len(l.full) + 1 {
			block := l.block
			if i < len(l.full) {
				unpacked = l.full[i].unpack(unpacked)
				block = unpacked
			}
			var k logged
			for len(block) > 0 {
				block = k.next(block)
				f := audit.Finding{
					File: k.file, Path: k.path, Pos: k.pos, Rule: rule.Rule(k.rule), Message: k.message,
					Severity: k.severity, Suggestion: k.suggestion, Certain: k.isCertain, Cause: k.cause, Target: k.target,
				}
				if k.hasRef {
					f.Ref = &extract.Reference{Raw: []byte(k.raw)}
					if !k.isQuoted {
						f.Ref.Ref = f.Ref.Raw
					}
				}
				if k.hasFacts {
					f.Facts = []string{}
				}
				if !yield(&f) {
					return
				}
			}
		}
	}
}

// next sets k, which is the finding before, to the one that block begins with. It returns the rest.
func (k *logged) next(block []byte) []byte {
	flags := block[0]
	block = block[1:]
	k.isCertain, k.hasRef, k.isQuoted = flags&logCertain != 0, flags&logRef != 0, flags&logQuoted != 0
	k.hasFacts, k.pos.Exact, k.severity = flags&logFacts != 0, flags&logExact != 0, ""
	switch {
	case flags&logNote != 0:
		k.severity = rule.LevelNote
	case flags&logError != 0:
		k.severity = rule.LevelError
	}
	number := func() int64 {
		n, size := binary.Varint(block)
		block = block[size:]
		return n
	}
	k.pos.Offset = number()
	k.pos.Length, k.pos.Line, k.pos.Column = int(number()), int(number()), int(number())
	for _, s := range k.texts() {
		same, size := binary.Uvarint(block)
		block = block[size:]
		rest, size := binary.Uvarint(block)
		block = block[size:]
		if int(same) != len(*s) || rest > 0 {
			*s = (*s)[:same] + string(block[:rest])
		}
		block = block[rest:]
	}
	return block
}

// pendingFindings holds the findings of --fix. A finding that may be fixed is held whole, the others only
// if isWhole is set: in a large tree, nearly all findings are among these.
type pendingFindings struct {
	isWhole bool
	whole   []*audit.Finding
	log     findingLog // of all findings, unless isWhole is set
}

func (p *pendingFindings) add(f *audit.Finding) {
	if !p.isWhole {
		p.log.add(f)
	}
	if p.isWhole || f.Certain {
		p.whole = append(p.whole, f)
	}
}

// certain returns those that may be fixed.
func (p *pendingFindings) certain() (all []*audit.Finding) {
	for _, f := range p.whole {
		if f.Certain {
			all = append(all, f)
		}
	}
	return all
}

// all yields the findings in the order in which they were added: those that are held whole, and otherwise
// those of the log.
func (p *pendingFindings) all() iter.Seq[*audit.Finding] {
	if p.isWhole {
		return slices.Values(p.whole)
	}
	return func(yield func(*audit.Finding) bool) {
		certain := p.whole
		for f := range p.log.all() {
			if f.Certain {
				f, certain = certain[0], certain[1:]
			}
			if !yield(f) {
				return
			}
		}
	}
}
