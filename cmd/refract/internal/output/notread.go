package output

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"example.org/refract/cmd/refract/internal/jsontext"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/order"
)

// NotRead counts unread content by kind: "PDF", ".pst", a media type.
type NotRead map[string]int

// maxKinds limits how many kinds are counted separately: the author of a message can invent any
// number.
const (
	maxKinds  = 100
	otherKind = "other"

	HiddenFolder = "Maildir folder" // read with --hidden
	PublicInbox  = "public-inbox"
)

// Add counts content of a kind.
func (n *NotRead) Add(kind string, count int) {
	if *n == nil {
		*n = NotRead{}
	}
	if _, ok := (*n)[kind]; !ok && len(*n) >= maxKinds {
		kind = otherKind
	}
	(*n)[kind] += count
}

// addAll adds the counts of m, in sorted order, so that maxKinds always drops the same kinds.
func (n *NotRead) addAll(m NotRead) {
	for _, kind := range slices.Sorted(maps.Keys(m)) {
		n.Add(kind, m[kind])
	}
}

// kindNames maps kinds to their singular and plural. Other kinds are shown unchanged.
var kindNames = map[string][2]string{
	"image": {"image", "images"}, "font": {"font", "fonts"}, "audio": {"audio file", "audio files"}, "video": {"video", "videos"},
	"binary": {"binary file", "binary files"}, "large record": {"large record", "large records"}, HiddenFolder: {"hidden Maildir folder", "hidden Maildir folders"},
	"crawler record": {"record of the crawler about itself", "records of the crawler about itself"},
	"index line":     {"line of an index", "lines of an index"},
	PublicInbox:      {"public-inbox repository", "public-inbox repositories"}, otherKind: {"other", "others"},
}

// String returns the counts as a list, largest first: "3 PDF, 2 .pst, 1 ZIP". Hidden folders come
// before all others, because the user can read them with a flag.
func (n NotRead) String() string {
	const most = 10
	kinds := order.Sorted(maps.Keys(n), func(a, b string) int {
		return cmp.Or(cmp.Compare(n[b], n[a]), strings.Compare(a, b))
	})
	if i := slices.Index(kinds, HiddenFolder); i > 0 {
		kinds = slices.Insert(slices.Delete(kinds, i, i+1), 0, HiddenFolder)
	}
	var list []string
	rest := 0
	for i, kind := range kinds {
		count := n[kind]
		if i >= most {
			rest += count
			continue
		}
		name := kind
		if names, ok := kindNames[kind]; ok {
			name = names[min(count-1, 1)]
		}
		list = append(list, ascii.Number(count)+" "+name)
	}
	if rest > 0 {
		list = append(list, ascii.Number(rest)+" of other types")
	}
	return strings.Join(list, ", ")
}

// AppendTo appends n as the last member of a JSON object; nothing if n is empty.
func (n NotRead) AppendTo(name string, line []byte) []byte {
	if len(n) == 0 {
		return line
	}
	dst := append(jsontext.AppendKey(bytes.TrimSuffix(line, []byte("}\n")), name), '{')
	for i, kind := range slices.Sorted(maps.Keys(n)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsontext.AppendString(dst, kind), ':')
		dst = strconv.AppendInt(dst, int64(n[kind]), 10)
	}
	return append(dst, "}}\n"...)
}
