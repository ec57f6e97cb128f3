package distinct

import "hash/maphash"

// A Recent knows some of the keys that were added to it: of those that have the same place, the last one. It is for those who pass
// on keys to a Set, so that most repeated ones need not be. Its memory is RecentMemory bytes.
//
// It keeps no keys, but two hashes of 64 bits of each, whose seeds are drawn when the program starts, so that nobody can choose keys
// that have the same. Two keys are taken for one with a probability of 2 to the power of -127.
type Recent struct {
	slots []recentKey
}

// A recentKey has the hashes of a key, of which the first is never 0.
type recentKey struct{ first, second uint64 }

const recentSlots = 1 << 18

// RecentMemory is the size of a Recent in bytes.
const RecentMemory = 16 * recentSlots

var otherSeed = maphash.MakeSeed()

func recentOf(key []byte) recentKey {
	return recentKey{hashOf(key) | 1<<63, maphash.Bytes(otherSeed, key)}
}

// Has reports whether r knows a key.
func (r *Recent) Has(key []byte) bool {
	if r.slots == nil {
		return false
	}
	k := recentOf(key)
	return r.slots[k.second%recentSlots] == k
}

// Add adds a key.
func (r *Recent) Add(key []byte) {
	if r.slots == nil {
		r.slots = make([]recentKey, recentSlots)
	}
	k := recentOf(key)
	r.slots[k.second%recentSlots] = k
}

// Clear forgets all keys.
func (r *Recent) Clear() { clear(r.slots) }
