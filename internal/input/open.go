package input

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/mikelolasagasti/xz"

	"example.org/refract/internal/inflate"
)

const (
	// maxWindow limits in bytes how much memory a zstd frame may make its reader allocate. It is the
	// limit of zstd without --long; levels up to 19 need 8 MiB.
	maxWindow = 128 << 20
	// maxDict limits in bytes the dictionary of an xz stream; xz -9 uses this size.
	maxDict = 64 << 20
	// maxZstdDict limits in bytes the dictionary in front of a zstd stream. zstd trains dictionaries
	// of up to 2 GB; web crawlers use at most 1 MiB.
	maxZstdDict = 16 << 20
)

// A format is a compression format.
type format struct {
	suffix string
	tar    []string // suffixes of compressed tar archives
	magic  func(head []byte) bool
	open   func(c *counted, window int) (io.Reader, error) // window as in Unpack

	isBounded bool // its ratio must be bounded: the others make at most maxRatio bytes of one
}

var formats = []format{
	{".gz", []string{".tgz", ".taz"}, prefix("\x1f\x8b\x08"), openGzip, false},
	{".bz2", []string{".tbz2", ".tbz", ".tb2"}, isBzip2, openBzip2, true},
	{".xz", []string{".txz"}, prefix("\xfd7zXZ\x00"), openXZ, true},
	{".zst", []string{".tzst"}, isZstd, openZstd, true},
	{".lz4", []string{".tlz4"}, isLZ4, openLZ4, false},
	{".Z", []string{".taZ"}, isCompress, func(c *counted, _ int) (io.Reader, error) { return openCompress(c.r) }, true},
}

const (
	// magicLen is the number of bytes that the magic functions look at.
	magicLen = 10
	// maxBatchLine limits in bytes the line that says how a news batch is compressed, including its
	// line break.
	maxBatchLine = 22
)

// Inner returns name without the suffix of a compression that [Open] undoes, so that the type of
// the contents can be recognised: "list.mbox.gz" gives "list.mbox", and "a.tgz" gives "a.tar". So does
// "list.mbox.gz.open", a name that crawlers use for files that they are still writing.
func Inner(name string) string {
	f, suffix := bySuffix(name)
	if f == nil {
		return name
	}
	name = closed(name)
	name = name[:len(name)-len(suffix)]
	if suffix != f.suffix {
		name += ".tar"
	}
	return name
}

// closed returns name without the suffix of a file that is still being written.
func closed(name string) string { return strings.TrimSuffix(name, ".open") }

// Open opens a file, or standard input if path is "-", and decompresses it: gzip, bzip2, xz, zstd or LZ4,
// of one or more members, or compress. A file counts as compressed if its suffix says so and its first
// bytes agree; a crawl archive (.warc, .arc), if its first bytes say so. Standard input counts as
// compressed if its first bytes say so. So does a news batch of any name, if it begins with a line that
// says so, as in rnews(1).
//
// If possible, uncompressed input is returned as an *os.File, for reading in large blocks. Uncompressed
// input that may pause, such as a pipe or a terminal, is returned as a reader with a method Ready() bool,
// which reports whether a Read returns at once.
//
// A truncated or corrupt stream yields the bytes before the damage, then an error that quotes path;
// truncation of compress cannot be detected. After damage, gzip, zstd and LZ4 continue with the next member
// that they find, and return a [DamagedError] at the end. A stream that declares a window of more than 128
// MiB (zstd) or a dictionary of more than 64 MiB (xz) is also an error. Closing standard input has no
// effect.
func Open(path string) (io.ReadCloser, error) {
	if path == "-" {
		return sniff(path, stdin{os.Stdin}, os.Stdin, formats)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, failure(path, err)
	}
	return opened(f, path)
}

// opened decompresses f, as Open does. It closes f on failure.
func opened(f fs.File, name string) (io.ReadCloser, error) {
	var kinds []format
	if kind, _ := bySuffix(name); kind != nil {
		kinds = []format{*kind}
	} else if isCrawl(name) {
		kinds = formats
	} else if at, ok := f.(io.ReaderAt); ok {
		// A single read per file. A file that cannot seek is not from a news system.
		line := make([]byte, maxBatchLine)
		n, err := at.ReadAt(line, 0)
		if n == 0 && err != nil && err != io.EOF && mayPause(f) {
			return newLive(name, nil, f, f), nil
		}
		if batchLine(line[:n]) == 0 {
			return f, nil
		}
	}
	r, err := sniff(name, f, f, kinds)
	if err != nil {
		f.Close()
	}
	return r, err
}

// isCrawl reports whether a file is an archive of a crawler by its name. Many are compressed although their name does
// not say so.
func isCrawl(name string) bool {
	name = closed(name)
	dot := max(strings.LastIndexByte(name, '.'), 0)
	return strings.EqualFold(name[dot:], ".warc") || strings.EqualFold(name[dot:], ".arc")
}

// bySuffix returns the format of files with the suffix of name, and that suffix as the table has it;
// nil if there is none.
func bySuffix(name string) (f *format, suffix string) {
	name = closed(name)
	dot := strings.LastIndexByte(name, '.')
	if dot <= 0 || os.IsPathSeparator(name[dot-1]) {
		return nil, ""
	}
	for i := range formats {
		f := &formats[i]
		if strings.EqualFold(name[dot:], f.suffix) {
			return f, f.suffix
		}
		for _, s := range f.tar {
			// ".taz" is gzip, ".taZ" compress.
			if name[dot:] == s || strings.EqualFold(name[dot:], s) && s != ".taz" && s != ".taZ" {
				return f, s
			}
		}
	}
	return nil, ""
}

// IsCompressed reports whether something that begins with head is compressed, in a way that Unpack undoes.
func IsCompressed(head []byte) bool {
	for i := range formats {
		if formats[i].magic(head) {
			return true
		}
	}
	return false
}

// Unpack decompresses r, which reads something called name that is not a file, such as a member of an
// archive. It counts as compressed if its first bytes say so, and, unless the caller knows from
// elsewhere that it is, its suffix too. If it is not, Unpack returns a reader of the same bytes, and
// ok is false. A stream that declares a window or dictionary of more than window bytes is an error.
// If the reader is an io.Closer, it must be closed.
func Unpack(name string, isKnown bool, r io.Reader, window int) (_ io.Reader, ok bool, err error) {
	kinds := formats
	if kind, _ := bySuffix(name); kind != nil && !isKnown {
		kinds = []format{*kind}
	} else if !isKnown && !isCrawl(name) {
		return r, false, nil
	}
	first := make([]byte, magicLen)
	n, err := io.ReadFull(r, first)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, false, err
	}
	head := first[:n]
	r = io.MultiReader(bytes.NewReader(head), r)
	for _, kind := range kinds {
		if kind.magic(head) {
			from := &counted{file: r}
			from.r = bufio.NewReaderSize(from, 64<<10)
			z, err := kind.open(from, window)
			if err != nil {
				return nil, false, truncated(err)
			}
			return z, true, nil
		}
	}
	return r, false, nil
}

// UnpackLocated is like Unpack for a file whose name decides, and also returns where its contents are in
// the bytes that r reads, as Locate does.
func UnpackLocated(name string, r io.Reader, window int) (_ io.Reader, s *Stored, ok bool, err error) {
	z, ok, err := Unpack(name, false, r, window)
	if err != nil {
		return nil, nil, false, err
	}
	s = &Stored{isPlain: !ok}
	if ok && !s.locate(z) {
		s = nil
	}
	return z, s, ok, nil
}

// batchLine returns the length of the line at the start of head if it says that a news batch is
// compressed, else 0: "#! cunbatch" for compress, gunbatch and zunbatch for gzip, bunbatch for
// bzip2. The word names a program that each site defines for itself (rnews(1)), so the caller
// examines the bytes that follow. These do not match for c7unbatch, a 7-bit encoding, which is
// therefore left as it is.
func batchLine(head []byte) int {
	if len(head) < 2 || string(head[:2]) != "#!" {
		return 0
	}
	line, _, isWhole := bytes.Cut(head[:min(len(head), maxBatchLine)], []byte("\n"))
	if !isWhole || !bytes.HasSuffix(line, []byte("unbatch")) {
		return 0
	}
	return len(line) + 1
}

// sniff decompresses f with the first of the formats that match its first bytes; if none does, it
// reads f as it is. plain is f, or the reader that the caller sees in its place.
func sniff(name string, plain io.ReadCloser, f fs.File, kinds []format) (io.ReadCloser, error) {
	head := make([]byte, 4<<10) // more than the formats need: of a pipe, it also shows the type of the contents
	n, err := readMagic(f, head)
	if err != nil && err != io.EOF {
		return nil, failure(name, err)
	}
	head = head[:n]
	var r io.Reader = io.MultiReader(bytes.NewReader(head), f)
	// Rely only on regular files to seek: some devices report success wrongly.
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		if s, ok := f.(io.Seeker); ok {
			if _, err := s.Seek(int64(-n), io.SeekCurrent); err == nil {
				r = plain
			}
		}
	}
	line := batchLine(head)
	if line > 0 {
		kinds = formats
	}
	for _, kind := range kinds {
		if !kind.magic(head[line:]) && !isDamagedCrawl(name, kinds, head) {
			continue
		}
		// A block of 64 KiB is as fast as any larger one.
		from := &counted{file: r}
		from.r = bufio.NewReaderSize(from, 64<<10)
		from.r.Discard(line)
		z, err := kind.open(from, maxWindow)
		if err != nil {
			return nil, failure(name, truncated(err))
		}
		return &stream{r: z, file: plain, name: name, from: from, isBounded: kind.isBounded}, nil
	}
	if r == io.Reader(plain) {
		return plain, nil
	}
	if err == nil && mayPause(f) {
		return newLive(name, head, f, plain), nil
	}
	return &stream{r: r, file: plain, name: name}, nil
}

// isDamagedCrawl reports whether a file that begins with head is probably a crawl archive whose first
// member is so damaged that its compression is not recognised. It decides by the name, and by head not being text. The
// members that follow can be read.
func isDamagedCrawl(name string, kinds []format, head []byte) bool {
	return len(kinds) == 1 && isCrawl(Inner(name)) && bytes.IndexByte(head, 0) >= 0
}

// truncated returns err, with io.EOF changed to io.ErrUnexpectedEOF.
func truncated(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// A stream is an input that is not read directly from its file.
type stream struct {
	r    io.Reader
	file io.Closer
	name string   // for errors
	from *counted // nil: it is not compressed, or r reads the file by itself

	isBounded bool  // r makes no more than maxRatio allows, as archives do
	made      int64 // bytes that r has made, if it is bounded
}

// Like the members of an archive, a compressed file may make this many bytes of one, the highest ratio of
// deflate, and some more.
const (
	maxRatio  = 1032
	leastMade = 1 << 20
)

// errRatio says that a file was made to exhaust its reader.
var errRatio = fmt.Errorf("more than %d times its size when it is decompressed: not read to its end", maxRatio)

func (s *stream) Read(p []byte) (int, error) {
	if s.isBounded {
		left := leastMade + maxRatio*s.from.n - s.made
		if left <= 0 {
			return 0, failure(s.name, errRatio)
		}
		p = p[:min(int64(len(p)), left)]
	}
	n, err := s.r.Read(p)
	s.made += int64(n)
	if err != nil && err != io.EOF {
		err = failure(s.name, err)
	}
	return n, err
}

func (s *stream) Close() error {
	switch r := s.r.(type) {
	case *frames:
		r.Close()
	case *ahead:
		r.close()
	}
	return s.file.Close()
}

// stdin is standard input, which a caller may close and open again.
type stdin struct{ *os.File }

func (stdin) Close() error { return nil }

func prefix(magic string) func([]byte) bool {
	return func(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }
}

// isBzip2 also checks the magic number of the first block, because "BZh9" alone may be text.
func isBzip2(head []byte) bool {
	return len(head) >= 10 && string(head[:3]) == "BZh" && '1' <= head[3] && head[3] <= '9' &&
		(string(head[4:10]) == "1AY&SY" || string(head[4:10]) == "\x17\x72\x45\x38\x50\x90")
}

// isZstd also accepts a skippable frame, with which pzstd begins a file.
func isZstd(head []byte) bool {
	return len(head) >= 4 && (string(head[:4]) == "\x28\xb5\x2f\xfd" || isSkippable(head))
}

// gzipMagic begins a member: deflate is the only method, and three flags are reserved.
func gzipMagic(head []byte) bool {
	return len(head) >= 10 && string(head[:3]) == "\x1f\x8b\x08" && head[3]&0xe0 == 0
}

func openGzip(c *counted, _ int) (io.Reader, error) {
	m := &members{r: c.r, z: new(inflate.Member), layout: layout{from: c, damage: new(DamagedError)}}
	m.begin()
	if err := m.z.Reset(c.r); err != nil {
		m.fail(err)
		m.find()
	}
	return m, nil
}

// members reads gzip members in sequence. Crawl archives have one per record, so it continues after
// a damaged member.
type members struct {
	layout
	r     *bufio.Reader
	z     *inflate.Member
	ended bool
}

func (m *members) Read(p []byte) (int, error) {
	for !m.ended {
		n, err := m.z.Read(p)
		m.out += int64(n)
		if err != nil && err != io.EOF {
			m.fail(err)
			m.find()
		} else if err == io.EOF {
			m.bound()
			m.next()
		}
		if n > 0 || err == nil {
			return n, nil
		}
	}
	return 0, m.end()
}

// next advances to the following member, if there is one.
func (m *members) next() {
	m.begin()
	head, err := m.r.Peek(magicLen)
	switch {
	case len(head) == 0:
		m.ended = true
		if err != io.EOF {
			m.fail(err)
			m.found(m.member.at, true)
		}
		return
	case gzipMagic(head):
		if err = m.z.Reset(m.r); err == nil {
			return
		}
		m.fail(err)
	case m.padding():
		return
	default:
		m.fail(gzip.ErrHeader)
	}
	m.find()
}

// padding skips zeros after a member, and reports whether nothing else follows: programs that write
// to blocks or tapes pad with zeros.
func (m *members) padding() bool {
	for {
		head, err := m.r.Peek(1)
		if err == io.EOF {
			m.ended = true
			return true
		}
		if err != nil || head[0] != 0 {
			return false
		}
		m.r.Discard(1)
	}
}

// find searches for the next member after damage.
func (m *members) find() {
	m.rewind()
	for {
		head, _ := m.r.Peek(m.r.Buffered())
		if len(head) < 10 {
			var err error
			head, err = m.r.Peek(magicLen)
			if err != nil {
				m.ended = true
				if err != io.EOF {
					m.fail(err)
				}
				m.found(m.from.at()+int64(len(head)), true)
				return
			}
		}
		i := bytes.Index(head, []byte("\x1f\x8b\x08"))
		switch {
		case i < 0:
			m.r.Discard(len(head) - 2)
			continue
		case len(head)-i < 10:
			m.r.Discard(max(i, 1))
			continue
		}
		m.r.Discard(i)
		m.begin()
		if gzipMagic(head[i:]) && m.z.Reset(m.r) == nil {
			m.found(m.member.at, false)
			return
		}
		m.r.Discard(1)
	}
}

func openBzip2(c *counted, _ int) (io.Reader, error) { return bzip2.NewReader(c.r), nil }

// ulikunitz/xz 0.5.17 was tried: it allocates the dictionary that a header
// declares, up to 4 GiB, and takes 1.3 times as long.
func openXZ(c *counted, window int) (io.Reader, error) {
	return xz.NewReader(c.r, uint32(min(window, maxDict)))
}

func openZstd(c *counted, window int) (io.Reader, error) {
	options := []zstd.DOption{
		zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(uint64(window)),
		zstd.WithDecoderMaxMemory(uint64(window)),
	}
	dict, err := zstdDict(c.r)
	if err != nil {
		return nil, err
	}
	if dict != nil {
		options = append(options, zstd.WithDecoderDicts(dict))
	}
	z, err := zstd.NewReader(nil, options...)
	if err != nil {
		return nil, err
	}
	return &frames{r: c.r, z: z, layout: layout{from: c, damage: new(DamagedError)}}, nil
}

// zstdDict reads the dictionary at the start of a crawl archive, in a skippable frame 184D2A5D,
// which may itself be compressed (IIPC, WARC with zstd, section 3). If there is no such frame, or
// it holds something else, zstdDict reads nothing.
func zstdDict(r *bufio.Reader) ([]byte, error) {
	const frame, magic = "\x5d\x2a\x4d\x18", "\x37\xa4\x30\xec"
	head, _ := r.Peek(12)
	if len(head) < 12 || string(head[:4]) != frame || string(head[8:12]) != magic && !isZstd(head[8:12]) {
		return nil, nil
	}
	size := binary.LittleEndian.Uint32(head[4:8])
	if size > maxZstdDict {
		return nil, fmt.Errorf("zstd: a dictionary of %d bytes", size)
	}
	r.Discard(8)
	dict := make([]byte, size)
	if _, err := io.ReadFull(r, dict); err != nil {
		return nil, truncated(err)
	}
	if string(dict[:4]) == magic {
		return dict, nil
	}
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxZstdDict))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	if dict, err = z.DecodeAll(dict, nil); err == nil && !bytes.HasPrefix(dict, []byte(magic)) {
		err = errors.New("zstd: the preceding frame contains no dictionary")
	}
	return dict, err
}

// Position returns how many bytes of the file r has read. [Open] or [OpenAhead] has returned r for a
// compressed file; ok is false for others. It may be somewhat more than the decompressed part. It must not
// be called at the same time as Read.
func Position(r io.Reader) (n int64, ok bool) {
	s, ok := r.(*stream)
	if !ok {
		return 0, false
	}
	if a, ok := s.r.(*ahead); ok {
		return a.at, true
	}
	if s.from == nil {
		return 0, false
	}
	return s.from.n, true
}
