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
	{"--format parquet docs", `"refract --parquet PATH"`},
	{"--parquet docs/a.md", "give the name of a directory, or one that ends in .parquet"},

	{"-t emll docs", `did you mean "eml" or "emlx"? All are listed by "refract help types"`},
	{"-t qqq docs", `give one of asciidoc, babyl, bplist, … All are listed by "refract help types"`},
	{"rewrite -t markdwn --unwrap docs", `did you mean "markdown"? All are listed by "refract help types"`},
	{"--label private docs", `did you mean "private-host"? All are listed by "refract help labels"`},
	{"audit --rule missing", `did you mean "missing-file", "missing-fragment" or "missing-scheme"? All are listed by "refract help rules"`},
	{"audit --no-rule fragment", `did you mean "missing-fragment"? All are listed by "refract help rules"`},
	{"audit --generator sphnx", `did you mean "Sphinx"? All are listed by "refract help generators"`},
	{"--generator qqq docs", `All are listed by "refract help generators"`},
	{"--csv --fields urls docs", `did you mean "url"`},

	{"--since 2024 --until 2023 docs", "exchange the dates"},
	{"--since yesterday --until 2023-05 docs", "exchange the dates"},
	{"--checkpoint c -o o --since 7d docs", "give dates such as"},
	{"--since tomorrow docs", "or 7d or yesterday"},
	{"rewrite --map http://a=http://a docs", "OLD and NEW are the same"},
	{"rewrite --map http://a=http://b --map http://a=http://c docs", "http://a already becomes http://b"},

	{"analyze docs", `"refract audit DIR"`},
	{"foo", "neither a file nor a command: see refract --help"},
	{"adit docs", `did you mean "refract audit"?`},
	{"help me", "All are listed by"},
	{"http://example.org/", "curl -sL 'http://example.org/' | refract --url 'http://example.org/'"},
	{"audit http://h/", "--site http://h/=DIR"},
	{"get http://h/", "refract fetches nothing"},
	{"'*.md'", "refract --glob"},
	{"doc", `did you mean "docs"?`},
	{"docs/b.md", `did you mean "docs/a.md"?`},
	{"audit --fixx docs", "did you mean --fix?"},
	{"audit --json=pretty docs", "give true or false"},
	{"audit --format yaml docs", "give one of text, json, sarif"},
	{"audit --format html docs", `"--html FILE" writes a page`},
	{"audit --format sarif=x docs", `did you mean "sarif"?`},
	{"audit --html docs", "is a directory: give the name of a file"},
	{"audit --output", "--output needs a value: --output FILE"},
	{"audit -o a.md docs", "was not written by refract: give another name, or remove the file"},
	{"audit --baseline docs", "not a regular file"},
	{"audit --rule", "needs a value: --rule RULE"},
	{"audit --slugs gitlap docs", `did you mean "gitlab"?`},
	{"audit --root a.md docs", `"a.md": not a directory`},
	{"audit --site https://example.org/ docs", "give URL=DIR"},
	{"audit --site example.org=docs docs", "give an http or https URL"},
	{"audit --min-coverage 101 docs", "a percentage from 0 to 100"},
	{"audit --min-coverage 90% docs", "give a whole number"},
	{"audit --jobs 0 docs", "must be at least 1"},
	{"audit -j docs", "give a whole number"},
	{"audit --self-test --fix docs", "--fix and --self-test cannot be used together"},
	{"audit --anchors docs", "--anchors requires --routes"},
	{"audit --dry-run --json docs", "leave out --json"},
	{"audit --report sarif docs", "such as sarif=links.sarif"},
	{"audit --report text=x docs", "give one of sarif"},
	{"audit --suffixes md docs", "such as .md,.html"},
	{"audit --glob [a docs", "is not closed"},
	{"audit --type html docs", "it is a flag of refract"},
	{"audit --unique docs", "it is a flag of refract"},
	{"audit -t md docs", "it is short for --type of refract"},
	{"audit -n docs", "always prints lines"},
	{"audit --orphans=none docs", "give all, or nothing"},
	{"audit --resolution rfc9999 docs", "not one of rfc3986"},
	{"audit --also sarif=x docs", `"--report FORMAT=FILE"`},
	{"mv", "give the files to move, and their new name or directory"},
	{"mv a.md", "give the files to move, and their new name or directory"},
	{"mv a.md docs/a.md", "exists: give another name, or remove it"},
	{"mv docs docs/sub", "cannot be moved into itself"},
	{"mv a.md#x b.md", `write "#" before its new text`},
	{"mv -r docs d2", "always read with all below"},
	{"mv --force a.md b.md", "never overwrites"},
	{"rewrite docs", "give a rule: --absolute"},
	{"rewrite --map x docs", "give OLD=NEW, two URLs with their schemes"},
	{"rewrite --absolute docs docs", "give a URL with its scheme"},
	{"rewrite --canonical surt docs", "give some of normal"},
	{"rewrite --unwrap", "give the files or directories to edit"},
	{"rewrite --fix docs", "it is a flag of refract audit"},
	{"rewrite --diff --unwrap docs", `"--dry-run" prints the changes as a diff`},
	{"resolve --base example.org y", "give a URL with its scheme"},
	{"resolve ../a", "give its base with --base URL"},
	{"resolve --get hots http://h/", `did you mean "host"?`},
	{"resolve --set host http://h/", "give NAME=VALUE"},
	{"resolve --compare x", "needs a base"},
	{"normalize --base http://h/ x", "use refract resolve"},
	{"normalize --no-fragments x", "did you mean --no-fragment?"},
	{"lsp docs", "leave it out"},
	{"lsp --port 80", "standard input and output"},
	{"completion tcsh", "give one of bash, fish"},
	{"man", "refract man DIR"},
	{"--host", "needs a value: --host HOST"},
	{"--kind links docs", `did you mean "link"?`},
	{"--kind img docs", `images are "embed"`},
	{"--match [ docs", "is not closed"},
	{"--type image/png docs", "holds no text"},
	{"--count hosts docs", `did you mean "host"?`},
	{"--json --csv docs", "cannot be used together"},
	{"--csv -0 docs", "--null cannot be used with --csv"},
	{"--format edges -n docs", "--line-number cannot be used with --format edges"},
	{"--unique --count url docs", "--count prints each value once, with its number"},
	{"--unique=frist docs", "give sorted, earliest, first, last, or nothing"},
	{"--sort docs", `"--unique=sorted" sorts`},
	{"--uniq docs", "did you mean --unique?"},
	{"--format jsonl docs", `did you mean "json"?`},
	{"--parquet x -o y docs", "--output cannot be used with --parquet"},
	{"--at 2019 docs", "require --archived INDEX"},
	{"--known x docs", "requires --join"},
	{"--join always docs", "give one of never, mail, proven"},
	{"--also mails docs", "give some of abbreviated"},
	{"--also script docs", `did you mean "scripts"?`},
	{"--scripts docs", `"--also scripts"`},
	{"--arrow docs", `"--format arrow"`},
	{"--frontier docs", `"--format frontier"`},
	{"--above-root retain docs", `"--resolution above-root=MODE"`},
	{"--params yes docs", `"--resolution params=VALUE"`},
	{"--two-readings docs", `"--parser-differences"`},
	{"--first docs", `"--unique=first"`},
	{"--since 31.12.2024 docs", "give a date such as"},
	{"--since 2024-13 docs", "there is no month 13"},
	{"--status ok docs", "a class such as 2xx"},
	{"--media-type html docs", "such as text/html"},
	{"--split docs", "such as 4096, 512K"},
	{"--checkpoint x docs", "requires -o FILE"},
	{"--memory 10 docs", "requires --unique, --count"},
	{"--base /docs docs", "give a URL with its scheme"},
	{"--file-base --url http://h/ docs", "use one"},
	{"--glob [ docs", "is not closed"},
	{"-o docs docs", "is a directory"},
	{"--output x --html x docs", "name the same file: give two"},
	{"-v docs", "it is short for --verbose of refract audit"},
	{"---json docs", "write --name or --name=value"},
	{"--help-all", `"--help" shows all flags`},
	{"--quite docs", "did you mean --quiet?"},
	{"--ignore x docs", "it is a flag of refract audit"},
	{"--timeout 5 docs", "never goes online"},
	{"--header x docs", "never goes online"},
	{"--exclude docs", "excludes files"},
	{"--fallback-extensions html docs", `"--suffixes LIST"`},
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
		code := run(strings.Fields(strings.ReplaceAll(tt.usage, "'", "")), &out, &errs)
		answer := errs.String()
		if code != cli.ExitFailed || !strings.Contains(answer, tt.want) || out.Len() > 0 {
			t.Errorf("%s: status %d, %s%s\nwant %s", tt.usage, code, answer, out.String(), tt.want)
		}
		isBare := strings.Contains(answer, "no such file") && !strings.Contains(answer, "did you mean") && !strings.Contains(answer, "--glob")
		if isBare || strings.Count(answer, "\n") > 2 || len(answer) > 320 {
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
