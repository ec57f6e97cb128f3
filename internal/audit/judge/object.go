package judge

import (
	"fmt"
	"strconv"
	"strings"

	"example.org/refract/extract/rst"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
)

// judgeObject judges the use of an object of a Sphinx domain, and of a role that nothing defines.
func (a *Judge) judgeObject(d *doc.Document, n *doc.Note) Verdict {
	s, uses, _ := d.SiteUse()
	o := rst.ParseObject([]byte(n.Text))
	answer := site.Answer{}
	for _, u := range uses { // it is enough that one of the documents that include this one finds it
		if answer = s.Names().Role(u, n.Space, n.Text); answer.State != site.Missing {
			return skipped(answer.Why)
		}
	}
	broken, message := rule.MissingObject, fmt.Sprintf("no document declares %s, which :%s: names", strconv.Quote(o.Name), o.Kind)
	switch {
	case answer.Why.Is(reason.UndefinedRole):
		if a.mayDefineRole(d) {
			return skipped(includedRole)
		}
		broken, message = rule.Undefined, "unknown role "+strconv.Quote(o.Kind)
	case answer.IsWarned:
		broken = rule.MissingFragment
	}
	return faulty(Problem{Rule: broken, Message: message, Use: a.NameAsReference(d, n, scan.Role, o.Kind)})
}

// Extended returns the text of n with more at the end of its name.
func Extended(n *doc.Note, more string) string {
	if n.Space != rst.ObjectSpace {
		return n.Text + more
	}
	name := rst.ParseObject([]byte(n.Text)).Name
	return strings.Replace(n.Text, name, name+more, 1)
}

// mayDefineRole reports whether a file other than d on the same page may define roles.
func (a *Judge) mayDefineRole(d *doc.Document) bool {
	return len(a.Around(d, true)) > 1 || a.MayHaveIDAround(d, true)
}

var includedRole = reason.New(reason.OtherPage, "included-role", "a file that is included may define the role")
