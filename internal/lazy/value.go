package lazy

import (
	"maps"
	"sync"
)

// A Value is computed at its first use. The zero Value has not been computed. It is safe for concurrent use.
type Value[T any] struct {
	once  sync.Once
	value T
}

// Get returns the value. The first call computes it with compute, which must not call Get of the same Value; other
// calls wait for that.
func (v *Value[T]) Get(compute func() T) T {
	v.once.Do(func() { v.value = compute() })
	return v.value
}

// A Map holds values that are computed at their first use, by key. The zero Map is empty. It is safe for
// concurrent use.
type Map[K comparable, V any] struct {
	mu sync.RWMutex
	of map[K]V
}

// Get returns the value of a key, and computes it if there is none. If several goroutines need the same value at a
// time, each may compute it; one of the results is kept, and is what all calls return.
func (m *Map[K, V]) Get(key K, compute func(K) V) V {
	m.mu.RLock()
	v, ok := m.of[key]
	m.mu.RUnlock()
	if ok {
		return v
	}
	v = compute(key)
	m.mu.Lock()
	defer m.mu.Unlock()
	if before, ok := m.of[key]; ok {
		return before
	}
	if m.of == nil {
		m.of = map[K]V{}
	}
	m.of[key] = v
	return v
}

// DeleteFunc deletes the values of the keys for which del returns true.
func (m *Map[K, V]) DeleteFunc(del func(K) bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.DeleteFunc(m.of, func(key K, _ V) bool { return del(key) })
}
