package source

import (
	"slices"
	"strings"
	"testing"
)

// Imports of documents are statements at the beginning of lines that give them a name.
func TestDocumentsIn(t *testing.T) {
	text := "import A from './a.md'\nimport { B,\n C } from \"./b.mdx\";\n  import D from './d.md'\nimport './e.md'\nimport('./f.md')\n" +
		"import G from './g.jsx'\nimport H from\n'./h.mdoc'\nreimport I from './i.md'\nimport J './j.md'\nimport K from './k.md\nimport L from './l.markdown'\nimport"
	want := strings.Fields("./a.md ./b.mdx ./h.mdoc ./l.markdown")
	if got := slices.Collect(DocumentsIn([]byte(text))); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for range Imports([]byte(text)) {
		break
	}
}
