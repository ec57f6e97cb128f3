package scantest

import "slices"

// Brotli returns text as a stream of uncompressed meta-blocks (RFC 7932, section 9.2), which any decoder reads: the
// encoders in Go import net/http, which every build of the tests would compile.
func Brotli(text string) string {
	stream := []byte{0b1100} // a window of 64 KiB, and an empty meta-block, which ends at a byte
	for block := range slices.Chunk([]byte(text), 1<<16) {
		header := (len(block)-1)<<3 | 1<<19
		stream = append(stream, byte(header), byte(header>>8), byte(header>>16))
		stream = append(stream, block...)
	}
	return string(append(stream, 0b11))
}
