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
func (a *Library) FlatSources(k *doc.Reference) (files []string) {
	ref := k.Ref[:PathLength(k.Ref)]
	if ref == "" || ref[0] == '/' || ref[0] == '.' {
		return nil
	}
	if stem, ok := strings.CutSuffix(ref, ".html"); ok {
		ref = stem + ".md"
	}
	const most = 100 // files of one name
	named := a.ByName[path.Base(ref)]
	for _, file := range named[:min(len(named), most)] {
		if strings.HasSuffix(file, "/"+ref) {
			files = append(files, file)
		}
	}
	return files
}

const MinSections = 3 // index pages with the name of Hugo from which to infer that it publishes the tree

const HugoIndex = "_index.md"

// IsUnsuffixed reports whether k is a relative Markdown link to a page, by a name without a suffix or with ".html".
func IsUnsuffixed(d *doc.Document, k *doc.Reference) bool {
	isWritten := k.How == scan.Inline || k.How == scan.Reference || k.How == scan.Attribute && path.Ext(d.Path) == ".mdx"
	if !d.IsMarkdown() || !isWritten || k.Kind == scan.Embed || k.Labels&scan.Unused != 0 {
		return false
	}
	ref := k.Ref[:PathLength(k.Ref)]
	if ref == "" || ref[0] == '/' || strings.ContainsRune(ref, ':') {
		return false
	}
	name := path.Base(ref)
	ext := path.Ext(name)
	return name != "." && name != ".." && (ext == "" || ext == ".html")
}

// IsBare reports whether the last name in the path of k has no suffix.
func IsBare(k *doc.Reference) bool { return path.Ext(path.Base(k.Ref[:PathLength(k.Ref)])) == "" }
