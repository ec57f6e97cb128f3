package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"example.org/refract/cmd/refract/internal/cli"
)

// What users of other tools type, and what the answer must hold. A word in quotes stands for itself.
var wrongUsages = []struct{ usage, want string }{
	{"watch", `"refract lsp"`},
	{"convert docs", `"refract rewrite --absolute URL DIR"`},
	{"diff", `"refract audit --changed-since REVISION DIR"`},
	{"stats docs", `"refract --count WHAT FILE"`},
	{"ls", `"refract FILE"`},
	{"init", `".refract.yaml"`},
	{"config", `"--config FILE" of "refract audit"`},
	{"dedupe docs", `"refract --unique FILE"`},
	{"export docs", `"refract --format FORMAT FILE"`},
	{"open", `"refract audit --html FILE DIR"`},
	{"check docs", `"refract audit DIR"`},
	{"lint", `"refract audit DIR"`},
	{"list docs", `"refract FILE"`},

	{"-f json docs", `"--format FORMAT"`},
	{"audit -f json docs", `"--format FORMAT"`},
	{"-i docs", `"refract rewrite"`},
	{"rewrite -i docs", "in place without a flag"},
	{"audit -c conf.yaml", `"--config FILE"`},
	{"-e x docs", `"--match REGEXP"`},
	{"-l docs", `"refract --count input"`},
	{"audit -s docs", `"--quiet"`},
	{"-a docs", `"--hidden"`},
	{"-u docs", `"--unique"`},
	{"-H docs", `"refract -n"`},
	{"audit --exclude-dir vendor", `"--glob '!DIR/**'"`},
	{"audit --max-warnings 0", `"--strict"`},
	{"--output-file x docs", `"--output FILE"`},
	{"--stdin", `"-" in place of a file`},
	{"audit --include-verbatim docs", `"refract --type text FILE"`},
	{"audit --remap x", `"--site URL=DIR"`},
	{"audit --base http://h/ docs", "give --site"},
	{"mv --base http://h/ a.md b.md", "give --site"},
	{"audit --select case", `"--rule RULE"`},
	{"audit --only case", `"--rule RULE"`},
	{"--list docs", `"refract FILE"`},
	{"--tsv docs", `"--format tsv"`},
	{"mv -n a.md b.md", `"--dry-run"`},
	{"mv -f a.md b.md", "never overwrites"},
	{"--kind image docs", `"embed"`},

	{"-t emll docs", `did you mean "eml" or "emlx"? All are listed by "refract help types"`},
	{"-t qqq docs", `give one of asciidoc, babyl, bplist, … All are listed by "refract help types"`},
	{"rewrite -t markdwn --unwrap docs", `did you mean "markdown"? All are listed by "refract help types"`},
	{"--label private docs", `did you mean "private-host"? All are listed by "refract help labels"`},
	{"audit --rule missing", `did you mean "missing-file", "missing-fragment" or "missing-scheme"? All are listed by "refract audit --help"`},
	{"audit --no-rule fragment", `did you mean "missing-fragment"? All are listed by "refract audit --help"`},
	{"audit --generator sphnx", `did you mean "Sphinx"? All are listed by "refract audit --help"`},
	{"--generator qqq docs", `All are listed by "refract audit --help"`},
	{"--csv --fields urls docs", `did you mean "url"`},

	{"--since 2024 --until 2023 docs", "exchange the dates"},
	{"--since yesterday --until 2023-05 docs", "exchange the dates"},
	{"--checkpoint c -o o --since 7d docs", "give dates such as"},
	{"--since tomorrow docs", "or 7d or yesterday"},
	{"rewrite --map http://a=http://a docs", "OLD and NEW are the same"},
	{"rewrite --map http://a=http://b --map http://a=http://c docs", "http://a already becomes http://b"},
}

func TestWrongUsages(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"docs/a.md": "http://h/\n", "a.md": "[b](docs/a.md)\n"} {
		if err := os.MkdirAll("docs", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range wrongUsages {
		var out, errs bytes.Buffer
		code := run(strings.Fields(tt.usage), &out, &errs)
		answer := errs.String()
		if code != cli.ExitFailed || !strings.Contains(answer, tt.want) || out.Len() > 0 {
			t.Errorf("%s: status %d, %s%s\nwant %s", tt.usage, code, answer, out.String(), tt.want)
		}
		if strings.Contains(answer, "no such file") || strings.Count(answer, "\n") != 1 || len(answer) > 250 {
			t.Errorf("%s: %s", tt.usage, answer)
		}
	}
}

// What was wrong once and is right now.
func TestRightUsages(t *testing.T) {
	t.Chdir(t.TempDir())
	const mail = "From: a@h\nDate: Tue, 1 Apr 1997 09:28:56 +0000\nSubject: x\n\nhttp://h/a\n"
	if err := os.WriteFile("x", []byte(mail), 0o666); err != nil {
		t.Fatal(err)
	}
	for usage, want := range map[string]string{
		"-t eml x": "http://h/a\n", "-t .EML x": "http://h/a\n", "-t md x": "http://h/a\n", "-t yml x": "http://h/a\n", "-t js x": "http://h/a\n", "-t tex x": "http://h/a\n",
		"-q --since 7d x": "", "-q --until 7d x": "http://h/a\n", "-q --until yesterday x": "http://h/a\n", "-q --since 1997 --until 1997 x": "http://h/a\n",
	} {
		var out, errs bytes.Buffer
		if code := run(strings.Fields(usage), &out, &errs); code != cli.ExitOK || out.String() != want {
			t.Errorf("%s: status %d, %s%s", usage, code, errs.String(), out.String())
		}
	}
}
