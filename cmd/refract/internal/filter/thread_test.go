package filter

import (
	"testing"

	"example.org/refract/extract/scan"
)

// A thread is a message, and those that refer to it or to one of the thread that came before.
func TestThread(t *testing.T) {
	thread := newThread("root@h")
	for _, m := range []struct {
		scan.Message
		want bool
	}{
		{scan.Message{ID: "before@h", InReplyTo: "a@h"}, false}, // its parent is not known yet
		{scan.Message{ID: "root@h"}, true},
		{scan.Message{ID: "a@h", InReplyTo: "root@h"}, true},
		{scan.Message{ID: "other@h"}, false},
		{scan.Message{ID: "b@h", InReplyTo: "other@h"}, false}, // an answer to what does not belong to it
		{scan.Message{References: []string{"none@h", "a@h"}}, true},
		{scan.Message{ID: "c@h", InReplyTo: ""}, false},
		{scan.Message{}, false},
	} {
		for range 2 { // the second answer is the first one
			if got := thread.Has(&m.Message); got != m.want {
				t.Errorf("%+v: %v", m.Message, got)
			}
		}
	}
}
