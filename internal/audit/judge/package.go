package judge

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"example.org/refract/base"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/zipdoc"
	"example.org/refract/resolve"
)

// InMember returns the name of a member of the package called name.
func InMember(name, member string) string { return name + "!/" + member }

// judgePackaged judges a reference in a member of d.
func (a *Judge) judgePackaged(d *doc.Document, ref *doc.Reference) Verdict {
	switch {
	case d.Bundle == nil || strings.Count(ref.Member, "!/") > 0:
		return skipped(inArchive)
	case ref.Labels&scan.Unused != 0: // nobody can follow it
		return Verdict{}
	case ref.Inside != "":
		return a.judgeMember(d, ref)
	case ref.Result.Step == resolve.CurrentDocument:
		return a.judgeBookmark(d, ref)
	}
	return skipped(otherComputer)
}

// judgeMember judges a reference to a member of the package.
func (a *Judge) judgeMember(d *doc.Document, ref *doc.Reference) Verdict {
	target, fragment, _ := strings.Cut(ref.Inside, "#")
	target, _, _ = strings.Cut(target, "?")
	name := strings.TrimPrefix(ascii.UnescapeAll(target), "/")
	if ref.Ref == "" {
		return faulty(Problem{Rule: rule.EmptyLink, Message: "the reference is empty, and points to the document itself"})
	}
	if leavesPackage(ref) {
		return faulty(Problem{Rule: rule.Outside, Message: "points outside the package"})
	}
	m := d.Bundle.Members[name]
	if m == nil {
		m = d.Bundle.Members[strings.TrimPrefix(target, "/")] // a path in META-INF/container.xml is no URL
	}
	switch {
	case m == nil && d.Bundle.Book == nil && d.Bundle.HasDir(name): // an object of OpenDocument
		return Verdict{}
	case m == nil && d.Bundle.Partial:
		return skipped(packageFilesUnknown)
	case m == nil:
		return a.faultyMember(d, ref, name)
	}
	if d.Bundle.Book != nil {
		if v := judgeManifest(d, ref, m, name); v.Problem != nil {
			return v
		}
	}
	return judgeMemberFragment(d, ref, m, name, fragment)
}

// leavesPackage reports whether the segments ".." of ref lead above the root of the package.
func leavesPackage(ref *doc.Reference) bool {
	p := string(resolve.Parse([]byte(ref.Ref)).Path)
	if strings.HasPrefix(p, "/") || ref.Base.Layer == base.Embedded {
		return false
	}
	depth := strings.Count(ref.Member, "/")
	if ref.Member == zipdoc.ContainerName {
		depth = 0
	}
	for segment := range strings.SplitSeq(p, "/") {
		switch segment {
		case "..":
			if depth--; depth < 0 {
				return true
			}
		case ".", "":
		default:
			depth++
		}
	}
	return false
}

// faultyMember returns the verdict on a reference to a member that does not exist.
func (a *Judge) faultyMember(d *doc.Document, ref *doc.Reference, name string) Verdict {
	if d.Bundle.Folded == nil {
		d.Bundle.Folded = map[string]string{}
		for _, n := range d.Bundle.Names {
			d.Bundle.Folded[foldedName(n)] = n
		}
	}
	if n := d.Bundle.Folded[foldedName(name)]; n != "" {
		return faulty(Problem{Rule: rule.Case, Message: fmt.Sprintf("the name in the package is %s, which differs in case or Unicode normalization", strconv.Quote(n))})
	}
	broken, what := lead.MissingRule(ref), "file"
	if broken == rule.BrokenImage {
		what = "image"
	}
	return faulty(Problem{Rule: broken, Message: fmt.Sprintf("no such %s in the package: %s", what, strconv.Quote(name)), Cause: InMember(d.Name, name)})
}

func foldedName(name string) string { return strings.ToLower(norm.NFC.String(name)) }

// judgeManifest checks whether the manifest lists the member m that ref points to and, for a link to a page,
// whether the spine does (EPUB 3.3 sections 3.2 and 5.7.2).
func judgeManifest(d *doc.Document, ref *doc.Reference, m *doc.Member, name string) Verdict {
	isPackage := slices.Contains(d.Bundle.Book.Packages, ref.Member) || strings.HasPrefix(ref.Member, "META-INF/")
	switch {
	case len(d.Bundle.Book.Items) == 0 || isPackage || strings.HasPrefix(name, "META-INF/") || slices.Contains(d.Bundle.Book.Packages, name):
	case !m.IsDeclared:
		return faulty(Problem{Rule: rule.Undeclared, Message: fmt.Sprintf("the manifest does not list %s", strconv.Quote(name))})
	case ref.Kind == scan.Link && ref.In == "a/href" && m.IsPage && !m.IsInSpine:
		return faulty(Problem{Rule: rule.NotInSpine, Message: fmt.Sprintf("%s is not in the spine: readers may not be able to open it", strconv.Quote(name))})
	}
	return Verdict{}
}

// judgeMemberFragment judges a fragment of a reference to the member m.
func judgeMemberFragment(d *doc.Document, ref *doc.Reference, m *doc.Member, name, fragment string) Verdict {
	fragment, _, _ = strings.Cut(fragment, ":~:") // a text fragment follows
	id := ascii.UnescapeAll(fragment)
	switch {
	case id == "" || strings.ContainsAny(fragment, "(=") || ref.How == scan.CSS: // epubcfi(…), t=1, xywh=…: no id
	case !m.HasIDs || m.IsPartial:
		return skipped(reason.IDsOfFileUnknown)
	case !m.Anchors[id]:
		return faulty(Problem{Rule: rule.MissingFragment, Message: fmt.Sprintf("%s has no id %s", strconv.Quote(name), strconv.Quote(id)), Cause: InMember(d.Name, name) + "#" + fragment})
	}
	return Verdict{}
}

// judgeBookmark judges a reference to a place in an office document: a bookmark, or a cell of a sheet.
func (a *Judge) judgeBookmark(d *doc.Document, ref *doc.Reference) Verdict {
	name := strings.TrimPrefix(ref.Ref, "#")
	if sheet, ok := sheetOf(name); ok {
		name = sheet
	}
	isKnown := d.Bundle.Anchors[name] || d.Bundle.Anchors[ascii.UnescapeAll(name)]
	switch ext := strings.ToLower(path.Ext(d.Path)); {
	case isKnown || name == "_top" || name == "_bottom" || name == "":
	case d.Bundle.Partial || len(d.Bundle.Anchors) >= doc.MaxAnchors,
		strings.HasPrefix(ext, ".ppt") || strings.HasPrefix(ext, ".pp"),        // slides are counted
		strings.HasPrefix(ext, ".xl") && !strings.Contains(ref.Ref, "!"),       // a name or a cell
		strings.HasPrefix(ext, ".o") && strings.ContainsAny(name, "|.!"),       // a heading, an object, a cell
		slices.Contains([]string{".ods", ".ots", ".odp", ".otp", ".odg"}, ext): // the same
		return skipped(placeUnknown)
	default:
		what := "bookmark"
		if strings.HasPrefix(ext, ".xl") {
			what = "sheet"
		}
		return faulty(Problem{Rule: rule.MissingFragment, Message: fmt.Sprintf("the document has no %s %s", what, strconv.Quote(name))})
	}
	return Verdict{}
}

// sheetOf returns the sheet of a place in a workbook: "S" of "S!A1" and "'S'!A1".
func sheetOf(location string) (string, bool) {
	i := strings.LastIndexByte(location, '!')
	if i < 0 {
		return "", false
	}
	name := location[:i]
	if len(name) > 1 && name[0] == '\'' && name[len(name)-1] == '\'' {
		name = strings.ReplaceAll(name[1:len(name)-1], "''", "'")
	}
	return name, true
}

// Reasons.
var (
	inArchive           = reason.New(reason.Unpublished, "in-archive", "in an archive")
	otherComputer       = reason.New(reason.Unpublished, "other-computer", "a path of another computer")
	packageFilesUnknown = reason.New(reason.Unpublished, "package-files-unknown", "not all files of the package are known")
	placeUnknown        = reason.New(reason.Base, "place-unknown", "a place in the document that is not known")
)

// judgeAttachment judges a reference to an attachment of its cell.
func (a *Judge) judgeAttachment(d *doc.Document, ref *doc.Reference) Verdict {
	cells := a.Attached[d.Path]
	if cells == nil {
		cells = d.Attachments()
		if a.Attached == nil {
			a.Attached = map[string][]map[string]bool{}
		}
		clear(a.Attached) // keep one notebook at a time
		a.Attached[d.Path] = cells
	}
	cell, _, _ := strings.Cut(ref.Entity.Path(), ".")
	n, err := strconv.Atoi(cell)
	if err != nil || n < 1 || n > len(cells) {
		return skipped(attachment)
	}
	name := strings.TrimPrefix(ref.Ref, doc.AttachmentScheme)
	if !cells[n-1][name] && !cells[n-1][ascii.UnescapeAll(name)] {
		return faulty(Problem{Rule: lead.MissingRule(ref), Message: "this cell has no attachment " + strconv.Quote(name)})
	}
	return Verdict{}
}

var attachment = reason.New(reason.NoLink, "attachment", "an attachment")
