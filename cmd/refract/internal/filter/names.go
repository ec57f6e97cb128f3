package filter

import (
	"hash/maphash"
	"sync"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/hostname"
)

// Names finds the hosts and domains of many URLs. It remembers those of the last authorities: looking up
// the public suffix list costs more than all other work for a URL. It has no pointers, so the garbage
// collector does not scan it. It must not be used concurrently.
type Names struct{ slots [1 << 13]nameSlot }

// A nameSlot has an authority and where in it the host and the domain are.
type nameSlot struct {
	size, host, domain, end uint8
	authority               [60]byte
}

var (
	namesPool = sync.Pool{New: func() any { return new(Names) }}
	namesSeed = maphash.MakeSeed()
)

// NewNames returns a Names, which Release may reuse.
func NewNames() *Names { return namesPool.Get().(*Names) }

// Release ends the use of n, which may be nil.
func (n *Names) Release() {
	if n != nil {
		namesPool.Put(n)
	}
}

// Of returns what [NameOf] and [DomainOf] return for url. The results may be parts of url.
func (n *Names) Of(url []byte) (host, domain []byte) {
	at := authorityOf(url)
	if at == nil {
		name := NameOf(url)
		return []byte(name), []byte(DomainOf(name))
	}
	slot := &n.slots[maphash.Bytes(namesSeed, at)%uint64(len(n.slots))]
	if string(slot.authority[:slot.size]) == string(at) {
		return at[slot.host:slot.end], at[slot.domain:slot.end]
	}
	start := ascii.HostStart(at)
	host, _, _ = ascii.CutPort(at[start:])
	name := hostname.Comparable(string(host))
	registered := DomainOf(name)
	if name != string(host) {
		return []byte(name), []byte(registered)
	}
	end := start + len(host)
	*slot = nameSlot{size: uint8(len(at)), host: uint8(start), domain: uint8(end - len(registered)), end: uint8(end)}
	copy(slot.authority[:], at)
	return host, host[len(host)-len(registered):]
}

// authorityOf returns the authority of url if the scheme has only letters and the authority fits in a
// nameSlot, otherwise nil.
func authorityOf(url []byte) []byte {
	i := 0
	for i < len(url) && ascii.IsLetter(url[i]) {
		i++
	}
	if i == 0 || len(url)-i < 3 || string(url[i:i+3]) != "://" {
		return nil
	}
	at := url[i+3:]
	for k, c := range at[:min(len(at), len(nameSlot{}.authority)+1)] {
		if c == '/' || c == '?' || c == '#' {
			return at[:k]
		}
	}
	if len(at) > len(nameSlot{}.authority) {
		return nil
	}
	return at
}
