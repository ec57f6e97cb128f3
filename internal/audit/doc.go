// Package audit finds broken links in a tree of documents. It is the engine of the public package of that
// name. It also answers the other questions of the command: what references resolve to, how to write them
// when files move, and what an editor shows.
package audit

/*
	inputs ─► each document read once, in parallel (doc): references, anchors, notes
	       ─► layout (publish): which ids headings have, by configuration files or by vote
	       ─► infer: what references teach about how trees are published
	       ─► each reference: Landing (lead) ─► Verdict (judge) ─► what was meant (spell) ─► Finding

	audit.go     Options, Finding, Report, Run
	auditor.go   one run: collect, read, judge
	judgeall.go  documents judged in parallel, and reported in order
	verdict.go   verdicts counted and reported; results.go: which findings, in what form; ignore.go: exceptions
	probe.go     what would be reported if links were broken
	follow.go    where references lead, for programs that move files; respell.go: how they are written there
	view.go      questions of editors; recheck.go: one document judged again
	baseline.go  findings of before; replay.go: the audit of before
*/
