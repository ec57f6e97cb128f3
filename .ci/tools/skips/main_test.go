package main

import (
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	const list = "# comment\n\na\tTestNamed\ta browser\na\tTestScripts/one\tWindows\n"
	const events = `{"Action":"start","Package":"h/m/a"}
{"Action":"output","Package":"h/m/a","Test":"TestNamed/x","Output":"no browser\n"}
{"Action":"skip","Package":"h/m/a","Test":"TestNamed/x"}
{"Action":"skip","Package":"h/m/b","Test":"TestNamed"}
{"Action":"skip","Package":"h/m/a","Test":"TestScripts/one"}
{"Action":"skip","Package":"h/m/a","Test":"TestScripts/two"}
{"Action":"output","Package":"h/m/a","Test":"TestOther","Output":"no node\n"}
{"Action":"skip","Package":"h/m/a","Test":"TestOther"}
{"Action":"output","Package":"h/m/a","Test":"TestGood","Output":"hidden\n"}
{"Action":"pass","Package":"h/m/a","Test":"TestGood"}
{"Action":"output","Package":"h/m/a","Test":"TestBad","Output":"why\n"}
{"Action":"fail","Package":"h/m/a","Test":"TestBad"}
{"Action":"output","Package":"h/m/a","Output":"PASS\n"}
{"Action":"output","Package":"h/m/a","Output":"ok  \ta\t1s\n"}
{"Action":"skip","Package":"h/m/c"}
plain text
`
	var out strings.Builder
	n, err := report(&out, strings.NewReader(events), list, "h/m", false)
	const want = "skipped, but not named: b TestNamed\nskipped, but not named: a TestScripts/two\nskipped, but not named: a TestOther\nno node\nwhy\nok  \ta\t1s\nplain text\n"
	if out.String() != want || n != 3 || err != nil {
		t.Errorf("%d, %v:\n%s", n, err, &out)
	}
	for _, bad := range []string{"a TestNamed x\n", "a\tTestNamed\n", "a\tTestNamed\t\n"} {
		if _, err := report(&out, strings.NewReader(""), bad, "h/m", false); err == nil {
			t.Errorf("%q is a list", bad)
		}
	}
	if _, err := report(&out, strings.NewReader("{\n"), list, "h/m", false); err == nil {
		t.Error("no error for damaged events")
	}
}

func TestReportPlain(t *testing.T) {
	const events = `{"Action":"output","Package":"h/m/a","Test":"TestLong","Output":"reads a corpus; set REFRACT_LONG=1\n"}
{"Action":"skip","Package":"h/m/a","Test":"TestLong"}
{"Action":"output","Package":"h/m/a","Test":"TestOther","Output":"no node\n"}
{"Action":"skip","Package":"h/m/a","Test":"TestOther"}
`
	for isPlain, want := range map[bool]int{true: 1, false: 2} {
		var out strings.Builder
		if n, err := report(&out, strings.NewReader(events), "", "h/m", isPlain); n != want || err != nil || !strings.Contains(out.String(), "TestOther") {
			t.Errorf("%v: %d skips, %v: %s", isPlain, n, err, out.String())
		}
	}
}
