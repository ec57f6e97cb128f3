package distinct

import "hash/maphash"

// A Recent remembers some of the keys that were added to it: for each slot, the last one. Use it in front
// of a Set, to skip most repeated keys. Its memory is RecentMemory bytes.
//
// It keeps no keys, but two 64-bit hashes of each, whose seeds are drawn when the program starts, so that
// nobody can choose keys with the same hashes. Two keys are mistaken for one with a probability of 2 to the
// power of -127.
type Recent struct {
	slots []recentKey
}

// A recentKey has the hashes of a key, of which the first is never 0.
type recentKey struct{ first, second uint64 }

const recentSlots = 1 << 18

// RecentMemory is the size of a Recent in bytes.
const RecentMemory = 16 * recentSlots

var otherSeed = maphash.MakeSeed()

// Has reports whether r knows a key.
func (r *Recent) Has(key []byte) bool {
	if r.slots == nil {
		return false
	}
	first := hashOf(key) | 1<<63
	k := &r.slots[first%recentSlots]
	return k.first == first && k.second == maphash.Bytes(otherSeed, key)
}

// Add adds a key.
func (r *Recent) Add(key []byte) {
	if r.slots == nil {
		r.slots = make([]recentKey, recentSlots)
	}
	first := hashOf(key) | 1<<63
	r.slots[first%recentSlots] = recentKey{first, maphash.Bytes(otherSeed, key)}
}

// Clear forgets all keys.
func (r *Recent) Clear() { clear(r.slots) }
