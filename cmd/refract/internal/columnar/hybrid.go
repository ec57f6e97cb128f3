package columnar

import (
	"encoding/binary"
	"math/bits"
)

// appendHybrid appends n numbers of width bits each, in the hybrid of run lengths and bit packing of
// Parquet.
func appendHybrid(dst []byte, n, width int, at func(i int) uint32) []byte {
	const group = 8 // numbers that are packed together
	for i := 0; i < n; {
		run := 1
		for i+run < n && at(i+run) == at(i) {
			run++
		}
		if run >= group || i+run == n {
			dst = binary.AppendUvarint(dst, uint64(run)<<1)
			for v, left := at(i), width; left > 0; left -= 8 {
				dst = append(dst, byte(v))
				v >>= 8
			}
			i += run
			continue
		}
		// Pack groups until a run fills a group of its own.
		end := i
		for end < n && !startsRun(n, end, group, at) {
			end += group
		}
		dst = binary.AppendUvarint(dst, uint64((end-i)/group)<<1|1)
		dst = appendPacked(dst, i, end, n, width, at)
		i = min(end, n)
	}
	return dst
}

// startsRun reports whether the numbers from i on are the same in a whole group.
func startsRun(n, i, group int, at func(i int) uint32) bool {
	if i+group > n {
		return false
	}
	for k := 1; k < group; k++ {
		if at(i+k) != at(i) {
			return false
		}
	}
	return true
}

// appendPacked packs the numbers from i to end, which are 0 from n on.
func appendPacked(dst []byte, i, end, n, width int, at func(i int) uint32) []byte {
	var held uint64
	size := 0
	for ; i < end; i++ {
		if i < n {
			held |= uint64(at(i)) << size
		}
		for size += width; size >= 8; size -= 8 {
			dst = append(dst, byte(held))
			held >>= 8
		}
	}
	return dst
}

// widthOf returns the bits that numbers below n take.
func widthOf(n int) int { return bits.Len(uint(max(n-1, 0))) }
