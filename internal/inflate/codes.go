package inflate

import "encoding/binary"

// codes decodes the symbols of a block.
func (z *Reader) codes() error {
	z.fast()
	for z.out <= window-slack {
		z.need(48) // if there are fewer, the symbol may have fewer
		bits, count := z.bits, z.count
		isEnd, err := z.symbol()
		switch {
		case err == errShort:
			z.bits, z.count = bits, count
			return err
		case err != nil:
			return err
		case isEnd:
			z.step = (*Reader).header
			return nil
		}
	}
	return nil
}

// symbol decodes a literal, or a length with its distance. isEnd reports the end of the block.
func (z *Reader) symbol() (isEnd bool, err error) {
	e, ok := z.code(z.lit[:], litBits, z.shortLit)
	switch {
	case !ok:
		return false, errShort
	case e&literal != 0:
		z.win[z.out] = byte(e >> valueShift)
		z.out++
		return false, nil
	case e.is(endOfBlock):
		return true, nil
	case e&special != 0:
		return false, z.corrupt()
	}
	length, ok := z.extra(e)
	if !ok {
		return false, errShort
	}
	e, ok = z.code(z.dist[:], distBits, z.shortDist)
	switch {
	case !ok:
		return false, errShort
	case e&special != 0:
		return false, z.corrupt()
	}
	dist, ok := z.extra(e)
	switch {
	case !ok:
		return false, errShort
	case dist > z.out:
		return false, z.corrupt()
	}
	for end := z.out + length; z.out < end; z.out++ {
		z.win[z.out] = z.win[z.out-dist]
	}
	return false, nil
}

// code takes a code, of which the shortest has so many bits. ok is false if too few are available.
func (z *Reader) code(table []entry, width, shortest uint) (e entry, ok bool) {
	e = table[z.bits&(1<<width-1)]
	n := e.code()
	if e.is(link) {
		e = table[uint(e>>valueShift)+uint(z.bits>>width)&(1<<n-1)]
		n = width + e.code()
	}
	if z.count < max(n, shortest) {
		return 0, false
	}
	z.take(n)
	return e, true
}

// extra takes the extra bits of a length or distance. ok is false if too few are available.
func (z *Reader) extra(e entry) (value int, ok bool) {
	n := e.size() - e.code()
	if z.count < n {
		return 0, false
	}
	return int(e>>valueShift) + z.take(n), true
}

// fast decodes symbols as long as neither the input nor the window can end within a step. It stops before
// the end of the block, and before an error.
func (z *Reader) fast() {
	in, pos, win, out := z.in, z.pos, &z.win, z.out
	bits, count := z.bits, z.count
	lit, dist := &z.lit, &z.dist
	last := len(in) - 3*8
	if pos > last {
		return
	}
	bits, pos, count = refill(in, pos, bits, count)
	e := lit[bits&(1<<litBits-1)] // of the next bits; looked up early, because that takes a few cycles
	for pos <= last && out <= window-slack {
		// At least 56 bits are available: three literals take 33 at most, a match 48.
		if e&literal != 0 {
			for i := 0; i < 3 && e&literal != 0; i++ {
				win[out] = byte(e >> valueShift)
				out++
				bits >>= e & 63
				count -= e.size()
				e = lit[bits&(1<<litBits-1)]
			}
			bits, pos, count = refill(in, pos, bits, count)
			if e&literal != 0 {
				continue
			}
		}
		begin, available := bits, count
		if e&special != 0 {
			if !e.is(link) {
				break
			}
			bits >>= litBits
			count -= litBits
			e = lit[(uint(e>>valueShift)+uint(bits)&(1<<e.code()-1))&(litSize-1)]
			if e&literal != 0 {
				win[out] = byte(e >> valueShift)
				out++
				bits >>= e & 63
				bits, pos, count = refill(in, pos, bits, count-e.size())
				e = lit[bits&(1<<litBits-1)]
				continue
			}
		}
		length := e.value(bits)
		bits >>= e & 63
		count -= e.size()
		d := dist[bits&(1<<distBits-1)]
		if d.is(link) {
			bits >>= distBits
			count -= distBits
			d = dist[(uint(d>>valueShift)+uint(bits)&(1<<d.code()-1))&(distSize-1)]
		}
		from := out - d.value(bits)
		if (e|d)&special != 0 || from < 0 {
			bits, count = begin, available
			break
		}
		bits >>= d & 63
		bits, pos, count = refill(in, pos, bits, count-d.size())
		e = lit[bits&(1<<litBits-1)]
		end := out + length
		// What lies between from and out repeats. A copy of 16 bytes is right for that many.
		for step := min(16, out-from); out < end; out, from = out+step, from+step {
			*(*[16]byte)(win[out:]) = *(*[16]byte)(win[from:])
		}
		out = end
	}
	z.pos, z.bits, z.count, z.out = pos, bits&(1<<count-1), count, out
}

// refill makes at least 56 bits available. Those above count may be there already.
func refill(in []byte, pos int, bits uint64, count uint) (uint64, int, uint) {
	return bits | binary.LittleEndian.Uint64(in[pos:])<<(count&63), pos + int((63-count)>>3), count | 56
}
