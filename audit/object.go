package audit

import (
	"fmt"
	"strconv"

	"example.org/refract/audit/site"
	"example.org/refract/extract/rst"
	"example.org/refract/extract/scan"
)

// judgeObject judges the use of an object of a Sphinx domain, and of a role that nothing defines.
func (a *auditor) judgeObject(d *document, n *note) {
	s, uses, _ := d.siteUse()
	o := rst.ParseObject([]byte(n.text))
	state, isWarned, why := site.Missing, false, ""
	for _, u := range uses { // it is enough that one of the documents that include this one finds it
		state, isWarned, why = s.ObjectInRST(u, o)
		if state != site.Missing {
			break
		}
	}
	if state == site.Found {
		return
	}
	if state == site.Unknown {
		a.skipNote(d, n, why)
		return
	}
	rule, message := MissingObject, fmt.Sprintf("no document declares %s, which :%s: names", strconv.Quote(o.Name), o.Kind)
	switch {
	case why == "role":
		if a.mayDefineRole(d) {
			a.skipNote(d, n, "a file that is included may define the role")
			return
		}
		rule, message = Undefined, "no role has the name "+strconv.Quote(o.Kind)
	case isWarned:
		rule = MissingFragment
	}
	f := a.finding(d, rule, message)
	f.Pos, f.Ref = n.pos, a.nameAsReference(d, n, scan.Role, o.Kind)
	a.report(d, f)
}

// mayDefineRole reports whether a file other than d on the same page may define roles.
func (a *auditor) mayDefineRole(d *document) bool {
	return len(a.around(d, true)) > 1 || a.mayHaveIDAround(d, true)
}
