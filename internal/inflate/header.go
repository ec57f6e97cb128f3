package inflate

import "io"

// header reads the header of a block.
func (z *Reader) header() error {
	if z.last {
		return io.EOF
	}
	pos, bits, count := z.pos, z.bits, z.count
	err := z.tryHeader()
	if err == errShort {
		z.pos, z.bits, z.count = pos, bits, count
	}
	return err
}

func (z *Reader) tryHeader() error {
	if !z.need(3) {
		return errShort
	}
	last := z.take(1) == 1
	switch z.take(2) {
	case 0:
		z.take(z.count % 8)
		if !z.need(32) {
			return errShort
		}
		n := z.take(16)
		if z.take(16) != n^0xffff {
			return z.corrupt()
		}
		z.stored = n
		z.step = (*Reader).copyStored
	case 1:
		z.fixed()
		z.step = (*Reader).codes
	case 2:
		err := z.dynamic()
		if err != nil {
			return err
		}
		z.step = (*Reader).codes
	default:
		return z.corrupt()
	}
	z.last = last
	return nil
}

// copyStored copies as much of a stored block as there is.
func (z *Reader) copyStored() error {
	if z.stored == 0 {
		z.step = (*Reader).header
		return nil
	}
	z.pos -= int(z.count / 8)
	z.bits, z.count = 0, 0
	if z.pos == len(z.in) {
		return errShort
	}
	n := copy(z.win[z.out:], z.in[z.pos:min(len(z.in), z.pos+z.stored)])
	z.pos += n
	z.out += n
	z.stored -= n
	return nil
}

// fixed makes the tables of the fixed codes (RFC 1951 section 3.2.6).
func (z *Reader) fixed() {
	if z.isFixed {
		return
	}
	var lengths [numLit]uint8
	for i := range lengths {
		switch {
		case i < 144, i >= 280:
			lengths[i] = 8
		case i < 256:
			lengths[i] = 9
		default:
			lengths[i] = 7
		}
	}
	z.shortLit, _ = build(z.lit[:], litBits, lengths[:], known.lit[:])
	for i := range numDist {
		lengths[i] = 5
	}
	z.shortDist, _ = build(z.dist[:], distBits, lengths[:numDist], known.dist[:])
	z.isFixed = true
}

// order is that in which the lengths of the codes of code lengths are stored.
var order = [numPre]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// dynamic reads the codes of a block (RFC 1951 section 3.2.7).
func (z *Reader) dynamic() error {
	if !z.need(14) {
		return errShort
	}
	nlit, ndist, npre := z.take(5)+257, z.take(5)+1, z.take(4)+4
	if nlit > 286 || ndist > 30 {
		return z.corrupt()
	}
	var lengths [numLit + numDist]uint8
	all := lengths[:nlit+ndist]
	if err := z.codeLengths(all, npre); err != nil {
		return err
	}
	z.isFixed = false
	shortLit, isLit := build(z.lit[:], litBits, all[:nlit], known.lit[:])
	shortDist, isDist := build(z.dist[:], distBits, all[nlit:], known.dist[:])
	if !isLit || !isDist {
		return z.corrupt()
	}
	z.shortLit = max(shortLit, uint(all[256])) // as compress/flate does: each block ends with this code
	z.shortDist = shortDist
	return nil
}

// codeLengths reads the lengths of codes. They are codes, too, of which npre lengths come first.
func (z *Reader) codeLengths(all []uint8, npre int) error {
	var pre [numPre]uint8
	for _, i := range order[:npre] {
		if !z.need(3) {
			return errShort
		}
		pre[i] = uint8(z.take(3))
	}
	var table [1 << preBits]entry
	shortest, ok := build(table[:], preBits, pre[:], known.pre[:])
	if !ok {
		return z.corrupt()
	}
	for i := 0; i < len(all); {
		z.need(preBits)
		e, ok := z.code(table[:], preBits, shortest)
		switch {
		case !ok:
			return errShort
		case e&special != 0:
			return z.corrupt()
		}
		n := uint8(e >> valueShift)
		if n < 16 {
			all[i] = n
			i++
			continue
		}
		if n == 16 && i == 0 {
			return z.corrupt()
		}
		r := repeats[n-16]
		if !z.need(r.bits) {
			return errShort
		}
		end := i + r.least + z.take(r.bits)
		if end > len(all) {
			return z.corrupt()
		}
		if n == 16 {
			n = all[i-1]
		} else {
			n = 0
		}
		for ; i < end; i++ {
			all[i] = n
		}
	}
	return nil
}

// repeats are the code length symbols from 16.
var repeats = [...]struct {
	least int
	bits  uint
}{{3, 2}, {3, 3}, {11, 7}}
