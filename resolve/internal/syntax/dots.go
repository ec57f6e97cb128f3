package syntax

// Both routines work in place on a path that ends buf: they read at r and
// write at w. They read each byte once or twice and remove it at most once,
// so they are linear. The path before in is already
// processed. Nothing before floor may be removed: the
// path starts there, or a retained ".." ends there. Both return the shortened buf, the new
// floor, and whether a ".." went above the root.

// RemoveDots is remove_dot_segments, RFC 3986 5.2.4. It also follows the letter for paths without a leading
// slash: "a/../../g" becomes "/g", "../g" becomes "g". buf[in:] is the routine's input buffer; the path
// before it is the output buffer. buf[in:] may lack a leading slash only if it is the whole path.
//
// If retain is true, a ".." that finds nothing to remove moves to the output; if it is the last segment, it
// gets no slash.
func RemoveDots(buf []byte, in, floor int, retain bool) (_ []byte, _ int, above bool) {
	r, w := in, in
	for r < len(buf) && buf[r] != '/' { // a first segment without a slash
		n := dotSegment(buf[r:])
		switch {
		case n == 0: // 2E
			for r < len(buf) && buf[r] != '/' {
				buf[w] = buf[r]
				r++
				w++
			}
		case n == 2 && retain:
			above = true
			w += copy(buf[w:], "..")
			r += n
			floor = w
		default: // 2A, 2D
			above = above || n == 2
			r = min(r+n+len("/"), len(buf))
		}
	}
	for r < len(buf) { // buf[r] is a slash
		n := dotSegment(buf[r+1:])
		switch {
		case n == 0: // 2E
			buf[w] = '/'
			r++
			w++
			for r < len(buf) && buf[r] != '/' {
				buf[w] = buf[r]
				r++
				w++
			}
			continue
		case n == 2 && w > floor: // 2C
			for w--; w > floor && buf[w] != '/'; w-- {
			}
		case n == 2:
			above = true
			if retain {
				w += copy(buf[w:], "/..")
				r += len("/..")
				floor = w
				continue
			}
		}
		r += len("/") + n // 2B, 2C: the slash stays in the input; if it is the last one, it moves
		if r == len(buf) {
			buf[w] = '/'
			w++
		}
	}
	return buf[:w], floor, above
}

// MergePaths is steps 6c to 6g of section 5.2 of the 1997 draft (RFC 1808 4, steps 6a to 6d). The draft's
// segments end in a slash, and it never adds one: "a/../../g" becomes "../g", or "g" if remove is true. The
// path starts at root, and buf[in:] starts with a segment.
//
// Step 6e removes its patterns leftmost first, so one pass from left to right finds the same patterns. A
// path becomes rooted as soon as the rest of it begins with a slash, as in "a/..//../g".
func MergePaths(buf []byte, root, in, floor int, remove bool) (_ []byte, _ int, above bool) {
	r, w := in, in
	for r < len(buf) {
		n := dotSegment(buf[r:])
		end := r + n
		if n == 0 {
			for end < len(buf) && buf[end] != '/' {
				end++
			}
		}
		end = min(end+len("/"), len(buf))
		switch {
		case n == 1: // 6c, 6d
		case n == 2 && w > max(floor, afterSlash(buf[:w], root)): // 6e, 6f
			for w--; w > floor && buf[w-1] != '/'; w-- {
			}
		default:
			w += copy(buf[w:], buf[r:end])
			if n == 2 {
				floor = w
			}
		}
		r = end
	}
	buf = buf[:w]
	first := afterSlash(buf, root)
	above = floor > first // 6g
	if above && remove {
		buf = append(buf[:first], buf[floor:]...)
	}
	return buf, floor, above
}

// afterSlash returns where the segments of the path buf[root:] start.
func afterSlash(buf []byte, root int) int {
	if root < len(buf) && buf[root] == '/' {
		return root + 1
	}
	return root
}

// dotSegment returns 1 if the first segment of s is ".", 2 if it is "..", and otherwise 0.
func dotSegment(s []byte) int {
	switch {
	case len(s) == 0 || s[0] != '.':
		return 0
	case len(s) == 1 || s[1] == '/':
		return 1
	case s[1] == '.' && (len(s) == 2 || s[2] == '/'):
		return 2
	}
	return 0
}
