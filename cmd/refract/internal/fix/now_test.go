package fix

import (
	"testing"

	"example.org/refract/extract"
)

// A position in the old text has its place in the new one, and the length of what replaces it if it is replaced as a whole.
func TestNowOfEdits(t *testing.T) {
	f := File{edits: []edit{{start: 2, end: 4, text: []byte("long")}, {start: 14, end: 16, text: []byte("x")}}} // lines begin at 0 and 10
	for _, tt := range []struct{ was, want extract.Position }{
		{extract.Position{Offset: 0, Length: 1, Column: 1}, extract.Position{Offset: 0, Length: 1, Column: 1}},
		{extract.Position{Offset: 2, Length: 2, Column: 3}, extract.Position{Offset: 2, Length: 4, Column: 3}},
		{extract.Position{Offset: 2, Length: 5, Column: 3}, extract.Position{Offset: 2, Length: 5, Column: 3}}, // more than the edit
		{extract.Position{Offset: 1, Length: 3, Column: 2}, extract.Position{Offset: 1, Length: 3, Column: 2}}, // ends with the edit
		{extract.Position{Offset: 6, Length: 1, Column: 7}, extract.Position{Offset: 8, Length: 1, Column: 9}},
		{extract.Position{Offset: 14, Length: 2, Column: 5}, extract.Position{Offset: 16, Length: 1, Column: 5}},
		{extract.Position{Offset: 18, Length: 2, Column: 9}, extract.Position{Offset: 19, Length: 2, Column: 8}},
	} {
		if got := f.Now(tt.was); got.Offset != tt.want.Offset || got.Length != tt.want.Length || got.Column != tt.want.Column {
			t.Errorf("%+v: %+v, want %+v", tt.was, got, tt.want)
		}
	}
}
