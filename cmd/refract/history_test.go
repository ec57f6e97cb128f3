package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/internal/testing/cmdtest"
)

// A small archive: three URLs, of which one has two spellings, in three messages of two people. One message has no date.
const archive = `From ann@a.example Mon Mar  7 10:00:00 2005
From: Ann <Ann@A.example>
Date: Mon, 7 Mar 2005 12:00:00 +0200
Message-ID: <2@a.example>
List-Id: Users <users.lists.example>
Subject: second

http://b.example/x and http://c.example/%7Ez

From bob@b.example Sun Mar  6 10:00:00 2005
From: bob@b.example
Date: Sun, 6 Mar 2005 10:00:00 +0000
Message-ID: <1@b.example>
Newsgroups: comp.test,misc.test
Subject: first

http://b.example/x http://b.example/x http://d.example/

From ann@a.example Mon Mar  7 10:00:00 2005
From: ann@a.example
Subject: undated

http://B.example/x mailto:x@y.example
`

// The order of references, what is counted, and the columns follow from dates, senders and lists of messages.
func TestHistories(t *testing.T) {
	dir := cmdtest.Files(t, map[string]string{"talk/2005-March.mbox": archive, "page.html": "<a href='http://b.example/x'>x</a>"})
	mail, page := filepath.Join(dir, "talk", "2005-March.mbox"), filepath.Join(dir, "page.html")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"--unique=first", mail}, `
2005-03-06T10:00:00Z	2005-03-07T10:00:00Z	2	2	http://b.example/x
2005-03-06T10:00:00Z	2005-03-06T10:00:00Z	1	1	http://d.example/
2005-03-07T10:00:00Z	2005-03-07T10:00:00Z	1	1	http://c.example/%7Ez
		1	1	http://B.example/x
		1	1	mailto:x@y.example
`},
		{[]string{"--unique=last", "--canonical", mail}, `
2005-03-06T10:00:00Z	2005-03-06T10:00:00Z	1	1	http://d.example/
2005-03-06T10:00:00Z	2005-03-07T10:00:00Z	3	2	http://b.example/x
2005-03-07T10:00:00Z	2005-03-07T10:00:00Z	1	1	http://c.example/~z
		1	1	mailto:x@y.example
`},
		{[]string{"--unique=first", "--json", "--quiet", mail}, `
{"first":"2005-03-06T10:00:00Z","last":"2005-03-07T10:00:00Z","messages":2,"senders":2,"type":"history","url":"http://b.example/x"}
{"first":"2005-03-06T10:00:00Z","last":"2005-03-06T10:00:00Z","messages":1,"senders":1,"type":"history","url":"http://d.example/"}
{"first":"2005-03-07T10:00:00Z","last":"2005-03-07T10:00:00Z","messages":1,"senders":1,"type":"history","url":"http://c.example/%7Ez"}
{"messages":1,"senders":1,"type":"history","url":"http://B.example/x"}
{"messages":1,"senders":1,"type":"history","url":"mailto:x@y.example"}
{"type":"summary","inputs":1,"references":7,"unresolved":0,"notes":0,"errors":0}
`},
		{[]string{"--unique=first", "--csv", page, mail}, `
first,last,messages,senders,url
2005-03-06T10:00:00Z,2005-03-07T10:00:00Z,2,2,http://b.example/x
2005-03-06T10:00:00Z,2005-03-06T10:00:00Z,1,1,http://d.example/
2005-03-07T10:00:00Z,2005-03-07T10:00:00Z,1,1,http://c.example/%7Ez
,,1,1,http://B.example/x
,,1,1,mailto:x@y.example
`},
		{[]string{"--unique=earliest", mail}, `
http://b.example/x
http://d.example/
http://c.example/%7Ez
http://B.example/x
mailto:x@y.example
`},
		{[]string{"--count", "month,sender", mail}, `
3	2005-03	bob@b.example
2		ann@a.example
2	2005-03	ann@a.example
`},
		{[]string{"--count", "list", mail}, `
3	comp.test
2	talk
2	users.lists.example
`},
		{[]string{"--count", "year,domain,line", mail, page}, `
2	2005	b.example	17
1			23
1		b.example	1
1		b.example	23
1	2005	b.example	8
1	2005	c.example	8
1	2005	d.example	17
`},
		{[]string{"--count", "url,kind", "--canonical", mail}, `
4	http://b.example/x	text
1	http://c.example/~z	text
1	http://d.example/	text
1	mailto:x@y.example	text
`},
		{[]string{"--format", "frontier", page, mail}, `
http://b.example/x	http://b.example/x	example,b	link	page.html
http://c.example/%7Ez	http://c.example/~z	example,c	text	talk/2005-March.mbox
http://d.example/	http://d.example/	example,d	text	talk/2005-March.mbox
`},
	} {
		var stdout, stderr bytes.Buffer
		status := run(tt.args, &stdout, &stderr)
		if got := "\n" + strings.ReplaceAll(stdout.String(), filepath.ToSlash(dir)+"/", ""); got != tt.want || status != cli.ExitOK {
			t.Errorf("refract %q: status %d, %s\n got %s\nwant %s", tt.args, status, &stderr, got, tt.want)
		}
	}
}
