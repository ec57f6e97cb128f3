package columnar

import (
	"encoding/binary"
	"math/bits"
)

// Sizes of DELTA_BINARY_PACKED (Encodings.md): each block begins with its least difference, and each of its
// parts has its own width.
const (
	deltaBlock = 128 // values
	deltaPart  = 32
)

// appendDeltas appends n numbers as the first one and the differences between each and the one before.
func appendDeltas(dst []byte, n int, at func(i int) int64) []byte {
	dst = binary.AppendUvarint(dst, deltaBlock)
	dst = binary.AppendUvarint(dst, deltaBlock/deltaPart)
	dst = binary.AppendUvarint(dst, uint64(n))
	last := int64(0)
	if n > 0 {
		last = at(0)
	}
	dst = binary.AppendVarint(dst, last)
	var deltas [deltaBlock]int64
	for i := 1; i < n; {
		k := min(deltaBlock, n-i)
		least := int64(0)
		for j := range k {
			v := at(i + j)
			deltas[j] = v - last // which may overflow, and then does so again when it is read
			if j == 0 || deltas[j] < least {
				least = deltas[j]
			}
			last = v
		}
		i += k
		dst = binary.AppendVarint(dst, least)
		widths := len(dst)
		dst = append(dst, make([]byte, deltaBlock/deltaPart)...)
		for from := 0; from < k; from += deltaPart {
			part := deltas[from:min(from+deltaPart, k)]
			var all uint64
			for _, d := range part {
				all |= uint64(d - least)
			}
			width := bits.Len64(all)
			dst[widths+from/deltaPart] = byte(width)
			dst = appendBits(dst, part, least, width)
		}
	}
	return dst
}

// appendBits appends the differences of numbers to least, in width bits each, the lowest first, and zeros
// up to deltaPart numbers.
func appendBits(dst []byte, numbers []int64, least int64, width int) []byte {
	var held, size = uint64(0), 0 // the bits that do not fill a byte yet
	for i := range deltaPart {
		var v uint64
		if i < len(numbers) {
			v = uint64(numbers[i] - least)
		}
		for left := width; left > 0; {
			k := min(left, 8-size)
			held |= v & (1<<k - 1) << size
			v >>= k
			size, left = size+k, left-k
			if size == 8 {
				dst = append(dst, byte(held))
				held, size = 0, 0
			}
		}
	}
	return dst
}

// appendPrefixed appends texts in order as DELTA_BYTE_ARRAY: how many bytes each has in common with the one
// before, and the rest.
func appendPrefixed(dst []byte, n int, at func(i int) []byte) []byte {
	common := make([]int32, n)
	for i := 1; i < n; i++ {
		a, b := at(i-1), at(i)
		k := 0
		for k < min(len(a), len(b)) && a[k] == b[k] {
			k++
		}
		common[i] = int32(k)
	}
	dst = appendDeltas(dst, n, func(i int) int64 { return int64(common[i]) })
	dst = appendDeltas(dst, n, func(i int) int64 { return int64(len(at(i))) - int64(common[i]) })
	for i := range n {
		dst = append(dst, at(i)[common[i]:]...)
	}
	return dst
}
