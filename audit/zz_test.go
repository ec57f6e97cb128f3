package audit

import (
	"fmt"
	"os"
	"testing"
	"unsafe"
)

func TestZZ(t *testing.T) {
	o := Options{Jobs: 2, Paths: []string{os.Getenv("ZZ")}}
	first := true
	var a *auditor
	a, _ = newAuditor(t.Context(), o, func(*Finding) {
		if first {
			first = false
			refs, anch, n, na, ids, idb, un, nm := 0, 0, 0, 0, 0, 0, 0, 0
			for _, d := range a.docs {
				refs += len(d.packed.refs)
				anch += len(d.packed.anchors)
				n += d.packed.refCount
				na += len(d.anchorList())
				for _, s := range d.ids {
					ids++
					idb += len(s.text) + 8*len(s.entries) + 4*len(s.slots)
				}
				un += len(d.undefined)
				nm += len(d.names)
			}
			fmt.Println("docs", len(a.docs), "refs", n, "bytes", refs, "anchors", na, "bytes", anch, "ids", ids, "bytes", idb, "undef", un, nm, "sizes", unsafe.Sizeof(document{}), unsafe.Sizeof(memo{}), unsafe.Sizeof(ids_{}), unsafe.Sizeof(content{}))
		}
	})
	a.run()
}

type ids_ ids
