package reason

import "testing"

func TestReason(t *testing.T) {
	r := New(Build, "made-by", "is made by %s, not %s")
	with := r.With("x")
	switch {
	case with.String() != "is made by x, not %s" || with.With("y").String() != "is made by x, not y":
		t.Errorf("%q", with)
	case with.Name() != "made-by" || !with.Is(r) || !r.Is(with) || with == r || r.Is(New(Build, "made", "is made by %s, not %s")):
		t.Errorf("%q is another reason", with.Name())
	case !r.If(false).IsZero() || r.If(true) != r || r.IsZero() || !(Reason{}).IsZero() || (Reason{}).Name() != "":
		t.Error("the zero Reason is none")
	}
	for _, test := range []struct {
		a, b Reason
		want int
	}{
		{New(Build, "a", "x"), New(Build, "a", "x"), 0},
		{New(Build, "a", "x"), New(Build, "b", "x"), -1},
		{New(Build, "a", "y"), New(Build, "b", "x"), 1}, // by the text first
		{Reason{}, New(Build, "a", "x"), -1},
	} {
		if got := test.a.Compare(test.b); got != test.want {
			t.Errorf("%+v and %+v: %d, want %d", test.a, test.b, got, test.want)
		}
	}
	html := RawHTML("G", "/u/")
	if html.Name() == "" || html.Is(r) || html == RawHTML("G", "/v/") || html != RawHTML("G", "/u/") {
		t.Errorf("%q", html)
	}
}
