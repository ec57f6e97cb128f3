package buildmatch

import (
	"iter"
	"strings"
)

// A Place is where something is written.
type Place struct {
	File   string
	Offset int
}

// maxPlaced is the number of faults whose links are looked for in templates and configurations.
const maxPlaced = 64

// FindPlaces looks for the links of faults, as written and without the base path of the build, in the texts
// of templates, components and configurations. A fault has a Place if there is only one.
func FindPlaces(faults []*Fault, files iter.Seq2[string, []byte]) {
	type wanted struct {
		*Fault
		spellings []string
		places    int
	}
	var all []wanted
	for _, f := range faults {
		if len(all) == maxPlaced {
			break
		}
		w := wanted{Fault: f, spellings: []string{f.Ref}}
		if below, isIn := strings.CutPrefix(f.Ref, f.Page.Site.Prefix); isIn && below != "" {
			w.spellings = append(w.spellings, "/"+below, below)
		}
		all = append(all, w)
	}
	if len(all) == 0 {
		return
	}
	for name, text := range files {
		for i := range all {
			w := &all[i]
			if w.places > 1 {
				continue
			}
			for _, s := range w.spellings {
				at, n := find(text, s)
				if n > 0 {
					w.Place = Place{name, at}
					w.places += n
					break
				}
			}
		}
	}
	for i := range all {
		if all[i].places != 1 {
			all[i].Place = Place{}
		}
	}
}
