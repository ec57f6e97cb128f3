package move

import (
	"path"
	"slices"

	"example.org/refract/internal/audit"
)

// aroundHeading returns the document whose heading the request renames, and all that link to it. It returns
// nil if the request renames none, or if more may have to be checked again.
func (p *planner) aroundHeading() []string {
	h := p.request.Heading
	if h == nil || len(p.request.Options.Built) > 0 || !p.live.HasOwnHeadings(h.Path) {
		return nil
	}
	names := append(p.leading(func(file string) bool { return file == h.Path }), h.Path)
	if slices.ContainsFunc(names, func(name string) bool { return !p.live.MayBeRechecked(name) }) {
		return nil
	}
	return names
}

// leading returns the documents that point to a file for which isTarget is true, or that are shown on its page.
func (p *planner) leading(isTarget func(string) bool) (names []string) {
	if p.before == nil {
		return p.request.Leading(isTarget)
	}
	for _, name := range p.before.order {
		if slices.ContainsFunc(p.before.refs[name], func(f *audit.Followed) bool { return slices.ContainsFunc(f.Ends(), isTarget) }) {
			names = append(names, name)
		}
	}
	return names
}

// amongMoved returns which documents a move may edit. These are the documents that move, and those with
// references to a moved file, to a directory around it, or to a similar name, which the same reference may
// mean. It returns nil if all documents have to be checked. A page of a directory, or a file that is
// neither a document nor an image, may decide how others are published. So may code that names a file,
// which is why only an editor, which moves files in any case and wants edits at once, does without the
// others.
func (p *planner) amongMoved() func(string) bool {
	r := p.request
	isUndone := slices.ContainsFunc(r.Memory, func(m Memory) bool { return m.isUndoneBy(r, "") })
	if r.Report == nil || r.Heading != nil || r.Label != nil || r.Redirects || len(r.Renames) == 0 || len(r.Options.Built) > 0 || len(p.emptied) > 0 || isUndone {
		return nil
	}
	among, ends, stems := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, rename := range r.Renames {
		info, err := p.under.Lstat(rename.From)
		if err != nil || !info.Mode().IsRegular() {
			return nil
		}
		among[rename.From] = true
		for _, name := range []string{rename.From, rename.To} {
			if !audit.IsOrdinary(name) {
				return nil
			}
			stems[audit.NameLetters(name)] = true
			for ; !ends[name]; name = path.Dir(name) {
				ends[name] = true
			}
		}
	}
	known := map[string]bool{}
	for _, name := range p.leading(func(file string) bool {
		is, ok := known[file]
		if !ok {
			is = ends[file] || stems[audit.NameLetters(file)]
			known[file] = is
		}
		return is
	}) {
		among[name] = true
	}
	return func(file string) bool { return among[file] }
}
