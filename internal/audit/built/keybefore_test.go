package built

import "testing"

// A value is that of a key that names sources, with or without escaped quotes, and of no other.
func TestKeyBefore(t *testing.T) {
	for i, key := range payloadKeys {
		for _, text := range []string{`{"` + key + `":"`, `x,"` + key + `": "`, `{\"` + key + `\":\"`, key + `:"`, `"a":"b","` + key + `" : "`} {
			if got := keyBefore([]byte(text)); got != i {
				t.Errorf("%s: %d, want %d", text, got, i)
			}
		}
		for _, text := range []string{`"` + key + `"`, `"` + key, `"x` + key + `":"`, `["`, ``, `"` + key + `","`, `:"`} {
			if got := keyBefore([]byte(text)); got != -1 {
				t.Errorf("%s: %d, want -1", text, got)
			}
		}
	}
}
