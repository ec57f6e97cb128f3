package distinct

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// The log of a Set lists the calls of Add that changed it, in order: 0, with key and record, for a key that is not in
// memory; otherwise the number of its entry, from 1. With the Order First, those of the latter kind change nothing
// that is output, and are left out.

// logNew logs a call of Add with a key that is not in memory. record is what the Set holds of the record.
func (s *Set) logNew(key, record []byte) {
	if s.Log == nil {
		return
	}
	size := uint64(0) // of the record, plus 1; 0: it is the key and one byte
	if isKey(key, record) {
		record = record[len(key):]
	} else {
		size = uint64(len(record)) + 1
	}
	s.head = binary.AppendUvarint(append(s.head[:0], 0), uint64(len(key)))
	s.head = append(binary.AppendUvarint(s.head, size), key...)
	s.Log.Write(append(s.head, record...))
}

// logAgain logs a call of Add with the key of entry i.
func (s *Set) logAgain(i int) {
	if s.Log != nil && s.Order != First {
		s.head = binary.AppendUvarint(s.head[:0], uint64(i)+1)
		s.Log.Write(s.head)
	}
}

// maxLogged limits the bytes of a key or record that Replay believes.
const maxLogged = 1 << 30

var errLog = errors.New("distinct: not a log")

// Replay repeats the calls of Add in a log of a Set with the same Memory and Order. The Set must be empty.
func (s *Set) Replay(log io.Reader) error {
	r := bufio.NewReaderSize(log, bufferSize)
	var key, record []byte
	for {
		i, err := binary.ReadUvarint(r)
		if err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("distinct: %w", err)
		}
		if i > 0 {
			if s.table == nil || i > uint64(s.table.n) {
				return errLog
			}
			s.n++
			s.table.entry(int(i)-1).count++
			continue
		}
		key, record, err = readLogged(r, key, record)
		if err != nil {
			return err
		}
		if _, err := s.Add(key, record); err != nil {
			return err
		}
	}
}

// readLogged reads a key and its record, and reuses their memory.
func readLogged(r *bufio.Reader, key, record []byte) (_, _ []byte, err error) {
	var n, size uint64
	for _, p := range []*uint64{&n, &size} {
		*p, err = binary.ReadUvarint(r)
		if err != nil {
			return nil, nil, fmt.Errorf("distinct: %w", unexpected(err))
		}
	}
	if n > maxLogged || size > maxLogged {
		return nil, nil, errLog
	}
	key, record, err = readKey(r, key, record, n, size)
	if err != nil {
		return nil, nil, fmt.Errorf("distinct: %w", unexpected(err))
	}
	return key, record, nil
}
