package memo

// Packed returns the packed contents of the documents that c holds.
func Packed(c *Cache) (all [][]byte) {
	for _, k := range c.kept {
		packed := k.packed
		if packed == nil {
			packed = k.content.Pack()
		}
		all = append(all, packed)
	}
	return all
}
