package scan

import (
	"testing"
	"unsafe"
)

// An Item is copied, cleared and passed on for every reference, so it stays small: fields that few
// Items have are in More.
func TestSize(t *testing.T) {
	if n := unsafe.Sizeof(Item{}); n > 184 {
		t.Errorf("an Item has %d bytes", n)
	}
}

// Names are part of the JSON that users read: none may be empty or mean two values.
func TestNames(t *testing.T) {
	seen := make(map[string]bool)
	for h := Bare; h <= Navigation; h++ {
		if h.String() == "" || seen[h.String()] {
			t.Errorf("How %d is %q", h, h)
		}
		seen[h.String()] = true
	}
	all := ^Labels(0)
	if n := len(all.Names()); n != len(LabelNames()) || OtherHost != 1<<(n-1) {
		t.Errorf("%d labels have names, the last is %b", n, OtherHost)
	}
}

func TestOp(t *testing.T) {
	for op, want := range map[Op]string{Ref: "ref", Anchor: "anchor", Close: "close", Close + 1: "Op(12)"} {
		if got := op.String(); got != want {
			t.Errorf("%d: %s", uint8(op), got)
		}
	}
}

func TestExtra(t *testing.T) {
	var it Item
	if it.Extra().Rel != "" {
		t.Error("an Item without More has a rel")
	}
	it.More = &More{Rel: "next"}
	if it.Extra().Rel != "next" {
		t.Error("More is not what Extra returns")
	}
}
