package distinct

// A Recent knows some of the keys that were added to it: of those that have the same place, the last one. It is for those who pass
// on keys to a Set, so that most repeated ones need not be. Its memory is RecentMemory bytes.
type Recent struct {
	slots []recentKey
	text  []byte // the keys
}

type recentKey struct {
	tag        uint32 // a part of the hash
	start, end uint32 // in text; end is 0 if there is no key
}

const (
	recentSlots = 1 << 16
	recentBytes = 3 << 20
)

// RecentMemory is the size of a Recent in bytes.
const RecentMemory = 12*recentSlots + recentBytes

// Has reports whether r knows a key.
func (r *Recent) Has(key []byte) bool {
	if r.slots == nil {
		return false
	}
	hash := hashOf(key)
	k := r.slots[hash%recentSlots]
	return k.end > 0 && k.tag == uint32(hash>>32) && string(r.text[k.start:k.end]) == string(key)
}

// Add adds a key, unless it is long. When there is no room, r forgets all keys.
func (r *Recent) Add(key []byte) {
	if len(key) == 0 || len(key) > recentBytes/16 {
		return
	}
	if r.slots == nil {
		r.slots, r.text = make([]recentKey, recentSlots), make([]byte, 0, recentBytes)
	}
	if len(r.text)+len(key) > recentBytes {
		r.Clear()
	}
	start := len(r.text)
	r.text = append(r.text, key...)
	hash := hashOf(key)
	r.slots[hash%recentSlots] = recentKey{uint32(hash >> 32), uint32(start), uint32(len(r.text))}
}

// Clear forgets all keys.
func (r *Recent) Clear() {
	clear(r.slots)
	r.text = r.text[:0]
}
