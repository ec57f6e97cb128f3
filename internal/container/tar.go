package container

import (
	"archive/tar"
	"fmt"
	"io"
	"iter"
	"strings"
)

// blockSize is the size in bytes of a header of tar.
const blockSize = 512

// maxSparse limits in bytes how much is read of all sparse files of an archive: their holes take no
// room in it.
const maxSparse = 16 << 20

// IsTar reports whether a file that begins with head is a tar archive, by the checksum of the first
// header. It needs 512 bytes.
func IsTar(head []byte) bool {
	if len(head) < blockSize || head[0] == 0 {
		return false
	}
	head = head[:blockSize]
	const sumAt, sumSize = 148, 8
	want, ok := octal(head[sumAt : sumAt+sumSize])
	if !ok {
		return false
	}
	// The size is binary if it does not fit.
	if _, ok := octal(head[124:136]); !ok && head[124]&0x80 == 0 {
		return false
	}
	sum, signed := int64(sumSize)*' ', int64(sumSize)*' '
	for i, c := range head {
		if i < sumAt || i >= sumAt+sumSize {
			sum += int64(c)
			signed += int64(int8(c))
		}
	}
	return want == sum || want == signed // old programs added signed bytes
}

// octal reads a number as tar writes it; ok is false if there are no digits, or there is something
// else.
func octal(field []byte) (n int64, ok bool) {
	text := strings.Trim(string(field), " \x00")
	for i := range len(text) {
		if text[i] < '0' || text[i] > '7' {
			return 0, false
		}
		n = n<<3 | int64(text[i]-'0')
	}
	return n, text != ""
}

// Tar yields at most limit members of the tar archive that r reads, in order: of Unix version 7,
// POSIX ustar and pax, and GNU. An error is the last element. If there are more members, it is an
// *UnreadError. If r is an io.Seeker, members that are not read are skipped.
func Tar(r io.Reader, limit int) iter.Seq2[Member, error] {
	return func(yield func(Member, error) bool) {
		in := tar.NewReader(r)
		sparse := int64(maxSparse)
		for n := 0; ; n++ {
			h, err := in.Next()
			if err == io.EOF {
				return
			}
			if err == nil && n == limit {
				err = errTooMany(limit)
			} else if err != nil {
				err = tarError(err)
			}
			if err != nil {
				yield(Member{}, err)
				return
			}
			if h.Typeflag == tar.TypeXGlobalHeader {
				continue
			}
			m := Member{Name: shownName([]byte(h.Name), false), Size: h.Size}
			m.IsFile = (h.Typeflag == tar.TypeReg || h.Typeflag == tar.TypeCont || h.Typeflag == tar.TypeGNUSparse) && !isDirectory(h.Name)
			m.Open = func() (io.Reader, error) {
				if !isSparse(h) {
					return tarMember{in}, nil
				}
				return &sparseFile{in, &sparse}, nil
			}
			if !yield(m, nil) {
				return
			}
		}
	}
}

func tarError(err error) error {
	text := strings.TrimPrefix(err.Error(), "archive/tar: ")
	if err == io.ErrUnexpectedEOF {
		text = "the archive is incomplete"
	}
	return fmt.Errorf("tar: %s", text)
}

func isSparse(h *tar.Header) bool {
	if h.Typeflag == tar.TypeGNUSparse {
		return true
	}
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return true
		}
	}
	return false
}

// A tarMember reads the content of a member. Its errors are those of this package.
type tarMember struct{ r io.Reader }

func (m tarMember) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	if err != nil && err != io.EOF {
		err = tarError(err)
	}
	return n, err
}

// A sparseFile reads a file with holes, as far as the limit for all of them allows.
type sparseFile struct {
	r    io.Reader
	left *int64
}

func (s *sparseFile) Read(p []byte) (int, error) {
	if *s.left <= 0 {
		return 0, &UnreadError{Kind: "sparse file", Text: fmt.Sprintf("sparse files of more than %d bytes: the rest is not read", maxSparse)}
	}
	n, err := s.r.Read(p[:min(int64(len(p)), *s.left)])
	*s.left -= int64(n)
	return n, err
}
