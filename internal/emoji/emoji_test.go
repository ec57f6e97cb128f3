package emoji

import (
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/testing/scantest"
)

func TestDrop(t *testing.T) {
	both := Set{Emoji: true, Icons: true}
	tests := []struct {
		set      Set
		in, want string
	}{
		{both, ":smile: Hello", " Hello"},
		{both, "Next :octicons-telescope-24: step", "Next  step"},
		{both, "std::smile::x", "std::x"},
		{both, "12:30:45", "12:30:45"},
		{both, "a:nosuch:smile:", "a:nosuch:smile:"},
		{both, ":warning:{ .lg } Care :material-:", " Care :material-:"},
		{both, ":warning:{} a", "{} a"},
		{both, Held + "smile" + Held, ":smile:"},
		{both, ":kiss_woman_man_medium_light_skin_tone_dark_skin_tone: :boy_tone1: :people_holding_hands_tone1-2:", "  "},
		{Set{Emoji: true}, ":material-check: :+1:", ":material-check: "},
		{Set{Icons: true}, ":material-check: :+1:", " :+1:"},
	}
	for _, test := range tests {
		if got := test.set.Drop(test.in, true); got != test.want {
			t.Errorf("%q: %q, want %q", test.in, got, test.want)
		}
	}
	if got := both.Drop(":warning:{ .lg }", false); got != "{ .lg }" {
		t.Errorf("without lists: %q", got)
	}
}

// No text is searched again for each name.
func TestLinear(t *testing.T) {
	for _, piece := range []string{":", ":a", ":a:", ":smile:{", ":smile:{{", "_tone1"} {
		drop := func(n int) func() {
			text := strings.Repeat(piece, n)
			return func() { Set{Emoji: true, Icons: true}.Drop(text, true) }
		}
		scantest.Linear(t, piece, 100*time.Millisecond, drop(25_000), drop(100_000))
	}
}
