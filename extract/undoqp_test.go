package extract

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"mime/quotedprintable"
	"strings"
	"testing"
)

// A message that has lost the header about its encoding has the same references as before, at
// the same places.
func TestUndoQPRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(2045, 67))
	const letters = "abc/def.?=&-_%20=3D=41#~"
	for range 300 {
		var text strings.Builder
		for range 1 + random.IntN(5) {
			fmt.Fprintf(&text, "Some words, été %d, and a link:\nhttp://h/?q=", random.IntN(100))
			for range random.IntN(200) {
				text.WriteByte(letters[random.IntN(len(letters))])
			}
			text.WriteString("\n\n")
		}
		var body bytes.Buffer
		w := quotedprintable.NewWriter(&body)
		w.Write([]byte(text.String()))
		w.Close()
		const head = "From: ann@example.org\nContent-Type: text/plain; charset=utf-8\n"
		const field = "Content-Transfer-Encoding: quoted-printable\n"
		list := func(undo Undo, head string) (all []string) {
			cfg := Config{Type: "message/rfc822", Undo: undo}
			for ref, err := range cfg.Walk("m", strings.NewReader(head+"\n"+body.String())) {
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, fmt.Sprintf("%d+%d %s", ref.Pos.Offset-int64(len(head)), ref.Pos.Length, ref.URL))
			}
			return all
		}
		want, got := list(0, head+field), list(UndoQP, head)
		if strings.Join(want, "\n") != strings.Join(got, "\n") {
			t.Fatalf("%s\n got %v\nwant %v", &body, got, want)
		}
	}
}
