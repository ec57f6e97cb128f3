package lead

import (
	"path"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/doc"
)

// FlatSources returns the files of the tree that a relative reference means if a program, such as ExDoc,
// publishes all documents in one directory. These are the files named like the page, or with a path that
// ends in that of an asset.
func (a *Library) FlatSources(ref *doc.Reference) (files []string) {
	text := ref.Ref[:PathLength(ref.Ref)]
	if text == "" || text[0] == '/' || text[0] == '.' {
		return nil
	}
	if stem, ok := strings.CutSuffix(text, ".html"); ok {
		text = stem + ".md"
	}
	const most = 100 // files of one name
	named := a.ByName[path.Base(text)]
	for _, file := range named[:min(len(named), most)] {
		if strings.HasSuffix(file, "/"+text) {
			files = append(files, file)
		}
	}
	return files
}

const MinSections = 3 // index pages with the name of Hugo from which to infer that it publishes the tree

const HugoIndex = "_index.md"

// IsUnsuffixed reports whether ref is a relative Markdown link to a page, by a name without a suffix or with ".html".
func IsUnsuffixed(d *doc.Document, ref *doc.Reference) bool {
	isWritten := ref.How == scan.Inline || ref.How == scan.Reference || ref.How == scan.Attribute && path.Ext(d.Path) == ".mdx"
	if !d.IsMarkdown() || !isWritten || ref.Kind == scan.Embed || ref.Labels&scan.Unused != 0 {
		return false
	}
	text := ref.Ref[:PathLength(ref.Ref)]
	if text == "" || text[0] == '/' || strings.ContainsRune(text, ':') {
		return false
	}
	name := path.Base(text)
	ext := path.Ext(name)
	return name != "." && name != ".." && (ext == "" || ext == ".html")
}

// IsBare reports whether the last name in the path of ref has no suffix.
func IsBare(ref *doc.Reference) bool { return path.Ext(path.Base(ref.Ref[:PathLength(ref.Ref)])) == "" }
