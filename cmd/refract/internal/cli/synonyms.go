package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/refract/internal/option"
)

// A synonym is a word by which other tools call something that refract has, or does without being asked.
type synonym struct {
	// name is a first argument, a flag, a flag of a command ("mv -n"), or a flag with a value ("--kind image").
	name string
	text string // what to write in its place: the end of a sentence that begins with the name
}

// synonyms are words of lychee, linkcheck, markdown-link-check, muffet, remark, vale, grep, git and others.
var synonyms = []synonym{
	{"analyse", `links are checked by "refract audit DIR"`},
	{"analyze", `links are checked by "refract audit DIR"`},
	{"audit-links", `links are checked by "refract audit DIR"`},
	{"broken", `broken links are found by "refract audit DIR"`},
	{"check", `links are checked by "refract audit DIR"`},
	{"check-links", `links are checked by "refract audit DIR"`},
	{"convert", `"refract rewrite --absolute URL DIR" makes references absolute, "--relative" relative; "refract --format FORMAT" selects the output`},
	{"count", `"refract --count WHAT FILE" counts by host, domain, month, sender and the like`},
	{"crawl", `refract fetches nothing; "refract --format frontier FILE" lists what a crawler may visit next`},
	{"dedup", `"refract --unique FILE" prints each URL once`},
	{"dedupe", `"refract --unique FILE" prints each URL once`},
	{"diff", `"refract audit --changed-since REVISION DIR" reports what a change has broken; "--dry-run" of the commands that write shows what they would write`},
	{"doctor", `links are checked by "refract audit DIR"`},
	{"download", `refract fetches nothing; "refract --format frontier FILE" lists what a crawler may visit next`},
	{"dump", `URLs are listed by "refract FILE"`},
	{"export", `"refract --format FORMAT FILE" writes URLs as csv, tsv, json and others`},
	{"extract", `URLs are listed by "refract FILE"`},
	{"fetch", `refract fetches nothing; "refract --format frontier FILE" lists what a crawler may visit next`},
	{"find", `URLs are listed by "refract FILE"`},
	{"fix", `links are fixed by "refract audit --fix DIR"`},
	{"get", `refract fetches nothing; "refract --format frontier FILE" lists what a crawler may visit next`},
	{"graph", `"refract --edges DIR" lists the links of documents, "refract audit --html FILE DIR" draws them`},
	{"grep", `URLs are listed by "refract FILE"`},
	{"language-server", `the language server is "refract lsp"`},
	{"links", `URLs are listed by "refract FILE", links are checked by "refract audit DIR"`},
	{"lint", `links are checked by "refract audit DIR"`},
	{"list", `URLs are listed by "refract FILE"`},
	{"ls", `URLs are listed by "refract FILE"`},
	{"move", `files are moved by "refract mv OLD NEW"`},
	{"open", `"refract audit --html FILE DIR" writes a page that a browser opens`},
	{"orphans", `documents to which nothing links are reported by "refract audit --orphans DIR"`},
	{"redirects", `redirects are checked by "refract audit DIR", and written by "refract mv --redirects OLD NEW"`},
	{"rename", `files are renamed by "refract mv OLD NEW", headings by "refract mv FILE#OLD NEW"`},
	{"replace", `destinations are replaced by "refract rewrite --map OLD=NEW"`},
	{"report", `"refract audit --html FILE DIR" writes a page, "--format FORMAT" a report for programs`},
	{"scan", `URLs are listed by "refract FILE", links are checked by "refract audit DIR"`},
	{"search", `URLs are listed by "refract FILE"`},
	{"serve", `the language server is "refract lsp"`},
	{"server", `the language server is "refract lsp"`},
	{"show", `URLs are listed by "refract FILE"`},
	{"stats", `"refract --count WHAT FILE" counts by host, domain, month, sender and the like`},
	{"summary", `"refract --count WHAT FILE" counts by host, domain, month, sender and the like`},
	{"test", `links are checked by "refract audit DIR"`},
	{"uniq", `"refract --unique FILE" prints each URL once`},
	{"url", `URLs are listed by "refract FILE"`},
	{"urls", `URLs are listed by "refract FILE"`},
	{"validate", `links are checked by "refract audit DIR"`},
	{"verify", `links are checked by "refract audit DIR"`},
	{"version", `it is a flag, "refract --version"`},
	{"watch", `"refract lsp" audits while documents are edited`},

	{"-a", `all files are read that are not ignored; "--hidden" and "--no-ignore" read the others, too`},
	{"-c", `"--config FILE" of "refract audit" reads flags from a file, "refract --count input" counts by file`},
	{"-e", `"--match REGEXP" selects URLs, "--glob GLOB" selects files`},
	{"-f", `"--format FORMAT" selects the output, "--files-from FILE" of "refract" reads the names of inputs`},
	{"mv -f", `"refract mv" never overwrites a file: remove it first`},
	{"-H", `"refract -n" prints the name of the file and the line before each URL`},
	{"-i", `"refract rewrite" edits in place, "--ignore GLOB" of "refract audit" ignores references, and --match '(?i)REGEXP' ignores case`},
	{"mv -i", `"refract mv" never overwrites a file, and asks nothing; "--dry-run" shows the changes`},
	{"rewrite -i", `"refract rewrite" edits in place without a flag; "--dry-run" shows the changes`},
	{"-l", `"refract --count input" lists the files that have URLs`},
	{"audit -n", `"refract audit" always prints lines; "--dry-run" shows what "--fix" would write`},
	{"mv -n", `"--dry-run" shows the changes, and writes nothing; "refract mv" never overwrites a file`},
	{"rewrite -n", `"--dry-run" shows the changes, and writes nothing`},
	{"-R", `directories are always read with all below them`},
	{"-r", `directories are always read with all below them`},
	{"-s", `"--quiet" prints no summary`},
	{"-u", `"--unique" prints each URL once, "--url URL" says where the documents are published`},

	{"--abbreviated", `"--also abbreviated" finds ftp.example.org, //example.org/x and the like; www.example.org is always found`},
	{"--above-root", `"--resolution above-root=MODE" sets it`},
	{"--absolute-dots", `"--resolution absolute-dots=VALUE" sets it`},
	{"--accept", `refract never goes online, and needs no status codes`},
	{"--addresses", `"--also addresses" finds mail addresses`},
	{"--allow", `"--ignore GLOB" ignores references`},
	{"--allow-hash-href", `"--no-rule missing-fragment" reports no fragments`},
	{"audit --also", `"--report FORMAT=FILE" writes further reports`},
	{"--archive", `"--archived INDEX" looks for captures in the index of a web archive, "--archives" reads ZIP and tar files in directories`},
	{"--archive-org", `"--archived INDEX" looks for captures in the index of a web archive`},
	{"--arrow", `"--format arrow" writes it`},
	{"--attachments", `attachments are always read`},
	{"--authority-end", `"--resolution authority-end=VALUE" sets it`},
	{"--base-dir", `"--root DIR" is the directory that "/x" leads into`},
	{"--base-url", `"--site URL=DIR" of "refract audit" says which directory a URL publishes, "--base URL" of other commands is the base of documents without one`},
	{"--by", `"--unique=earliest" prints the reference with the first date`},
	{"--captures", `"--archived INDEX" looks for captures in the index of a web archive`},
	{"--cdx", `indexes are recognised by themselves; "--archived INDEX" looks for captures in one`},
	{"--check-anchors", `"refract audit" always checks fragments`},
	{"--check-extern", `refract never goes online`},
	{"--check-external", `refract never goes online`},
	{"--check-html", `"refract audit" always checks HTML`},
	{"--checkstyle", `"--format checkstyle" of "refract audit" writes it`},
	{"--concurrency", `"--jobs N" reads N documents at a time`},
	{"--conditional", `"--also conditional" finds them`},
	{"--config-file", `"--config FILE" reads flags from a file`},
	{"--cookie-jar", `refract never goes online`},
	{"--cookies", `refract never goes online`},
	{"--date", `"--since DATE" and "--until DATE" select messages, "--fields date,url" with "--format tsv" prints dates`},
	{"--dates", `"--since DATE" and "--until DATE" select messages, "--fields date,url" with "--format tsv" prints dates`},
	{"--dedup", `"--unique" prints each URL once`},
	{"--dedupe", `"--unique" prints each URL once`},
	{"--depth", `refract fetches nothing; "--format frontier" lists what a crawler may visit next`},
	{"--diff", `"--dry-run" prints the changes as a diff`},
	{"--digit-scheme", `"--resolution digit-scheme=VALUE" sets it`},
	{"--disable", `"--no-rule RULE" of "refract audit" turns off a rule`},
	{"--disable-external", `refract never goes online`},
	{"--distinct", `"--unique" prints each URL once`},
	{"--domain", `"--host .DOMAIN" selects the hosts of a domain, "--count domain" counts domains`},
	{"--domains", `"--also domains" finds example.org`},
	{"--emails", `"--also addresses" finds mail addresses`},
	{"--empty", `"--resolution empty=VALUE" sets it`},
	{"--empty-component", `"--resolution empty-component=VALUE" sets it`},
	{"--enable", `"--rule RULE" of "refract audit" reports only some rules`},
	{"--exclude", `"--ignore GLOB" of "refract audit" ignores references, "--glob !GLOB" excludes files`},
	{"--exclude-all-private", `"--label !private-host" of "refract" excludes private hosts`},
	{"--exclude-dir", `"--glob '!DIR/**'" excludes a directory`},
	{"--exclude-domain", `"--host !.DOMAIN" excludes the hosts of a domain`},
	{"--exclude-file", `"--glob !GLOB" excludes files`},
	{"--exclude-host", `"--host !HOST" excludes a host`},
	{"--exclude-path", `"--glob !GLOB" excludes files`},
	{"--exhaustive", `"--also exhaustive" finds it`},
	{"--ext", `"--glob '*.EXT'" selects files`},
	{"--extensions", `"--glob '*.EXT'" selects files`},
	{"--external", `refract never goes online; "refract --scheme https --unique DIR" lists the URLs for a program that does`},
	{"--fail", `findings exit 1, unless "--exit-zero" is given`},
	{"--fail-fast", `all documents are always checked`},
	{"--fail-on", `findings exit 1, with "--strict" also notes`},
	{"--fallback-extensions", `"--suffixes LIST" of "refract audit" lists the suffixes that links leave out`},
	{"--files-with-matches", `"refract --count input" lists the files that have URLs`},
	{"--first", `"--unique=first" prints it`},
	{"mv --force", `"refract mv" never overwrites a file: remove it first`},
	{"--fragment-only", `"--resolution fragment-only=VALUE" sets it`},
	{"--fragments", `"refract audit" always checks fragments`},
	{"--frontier", `"--format frontier" lists what a crawler may visit next`},
	{"--github-token", `refract never goes online`},
	{"--gitlab", `"--format gitlab" of "refract audit" writes it`},
	{"--graph", `"--edges" lists the links of documents`},
	{"--group-by", `"--count WHAT" counts by host, domain, month, sender and the like`},
	{"--header", `refract never goes online`},
	{"--headers", `refract never goes online`},
	{"--help-all", `"--help" shows all flags`},
	{"--html-report", `"--html FILE" writes a page`},
	{"--ignore-case", `--match '(?i)REGEXP' ignores case`},
	{"--ignore-files", `"--glob !GLOB" excludes files`},
	{"--ignore-path", `"--glob !GLOB" excludes files`},
	{"--ignore-pattern", `"--ignore GLOB" of "refract audit" ignores references`},
	{"--ignore-url", `"--ignore GLOB" of "refract audit" ignores references`},
	{"--ignore-urls", `"--ignore GLOB" of "refract audit" ignores references`},
	{"--in-place", `"refract rewrite" edits in place without a flag; "--dry-run" shows the changes`},
	{"--include", `"--glob GLOB" selects files`},
	{"--include-dir", `"--glob 'DIR/**'" selects a directory`},
	{"--include-fragments", `"refract audit" always checks fragments`},
	{"--include-verbatim", `code is left out; "refract --type text FILE" reads a document as running text, with its code`},
	{"--init", `no configuration is needed; ".refract.yaml" can hold flags of "refract audit"`},
	{"--insecure", `refract never goes online`},
	{"--internal", `"--target-site same" selects references to the site of the document`},
	{"--internal-only", `refract never goes online`},
	{"--join-quoted-blanks", `"--also quoted-spaces" finds them`},
	{"--json-ld", `"--also json-ld" finds URLs in it`},
	{"--junit", `"--format junit" of "refract audit" writes it`},
	{"--last", `"--unique=last" prints it`},
	{"--links-only", `"--kind link" selects links`},
	{"--list", `"refract FILE" lists URLs, "refract --count input" files, "refract help rules" rules`},
	{"--list-rules", `"refract help rules" lists the rules`},
	{"--local-only", `refract never goes online`},
	{"--max-concurrency", `"--jobs N" reads N documents at a time`},
	{"--max-redirects", `refract never goes online`},
	{"--max-retries", `refract never goes online`},
	{"--max-warnings", `"--strict" of "refract audit" exits 1 for notes as well; "--baseline FILE" leaves out findings that are known`},
	{"--mbox", `the type of an input is recognised; "--type mbox" sets it`},
	{"--mdx", `"--also mdx" finds imports and components`},
	{"--method", `refract never goes online`},
	{"--mode", `"--color WHEN" decides about colours, "--format FORMAT" about the output`},
	{"--no-color", `"--color never" uses no colours`},
	{"--no-external", `refract never goes online`},
	{"--no-filename", `names of files are printed only with "-n"`},
	{"--no-images", `"--no-rule broken-image" does not report images`},
	{"--no-network", `refract never goes online`},
	{"--no-online", `refract never goes online`},
	{"--no-orphans", `"--no-rule orphan" leaves them out`},
	{"--no-progress", `"--quiet" shows no progress; without a terminal, there is none`},
	{"--nofollow", `"--format frontier" leaves out what crawlers are asked not to follow`},
	{"--offline", `refract never goes online`},
	{"--only", `"--rule RULE" of "refract audit" reports only some rules, "--glob GLOB" selects files`},
	{"--only-4xx", `refract never goes online`},
	{"--orphaned", `"--orphans" reports documents to which nothing links, "--orphans=all" also other files`},
	{"--out", `"--output FILE" writes to a file`},
	{"--output-file", `"--output FILE" writes to a file`},
	{"--output-format", `"--format FORMAT" selects the output`},
	{"--parallel", `"--jobs N" reads N documents at a time`},
	{"--params", `"--resolution params=VALUE" sets it`},
	{"--pdf", `the type of an input is recognised; "--type pdf" sets it`},
	{"lsp --port", `the server speaks through standard input and output`},
	{"--proxy", `refract never goes online`},
	{"--query-dots", `"--resolution query-dots=VALUE" sets it`},
	{"--query-only", `"--resolution query-only=VALUE" sets it`},
	{"--rate-limit", `refract never goes online`},
	{"--recursive", `directories are always read with all below them`},
	{"--remap", `"--site URL=DIR" of "refract audit" says which directory a URL publishes, "refract rewrite --map OLD=NEW" replaces URLs`},
	{"--reporter", `"--format FORMAT" selects the output`},
	{"--retries", `refract never goes online`},
	{"--retry", `refract never goes online`},
	{"--retry-wait-time", `refract never goes online`},
	{"--root-dir", `"--root DIR" is the directory that "/x" leads into`},
	{"--rules", `"--resolution RULES" selects the rules by which references are resolved; "--rule RULE" of "refract audit" reports only some rules`},
	{"--same-scheme", `"--resolution same-scheme=MODE" sets it`},
	{"--sarif", `"--format sarif" of "refract audit" writes it`},
	{"--scripts", `"--also scripts" finds URLs in scripts`},
	{"--seeds", `"--format frontier" lists what a crawler may visit next`},
	{"--select", `"--rule RULE" of "refract audit" reports only some rules, "--fields FIELD" selects columns`},
	{"--sender", `"--from SENDER" selects messages by their sender, "--count sender" counts them`},
	{"--severity", `"--rule RULE" of "refract audit" reports only some rules, "--strict" exits 1 for notes as well`},
	{"--silent", `"--quiet" prints no summary`},
	{"--sitemap", `with "--site URL=DIR", "refract audit" checks sitemaps; "--must-keep FILE" takes one as a list`},
	{"--skip", `"--ignore GLOB" of "refract audit" ignores references, "--glob !GLOB" excludes files`},
	{"--skip-external", `refract never goes online`},
	{"--sort", `"--unique=sorted" sorts`},
	{"--stats", `the summary is printed unless "--quiet" is given; "--format counts" of "refract audit" is for programs`},
	{"--stdin", `"-" in place of a file is standard input`},
	{"--subject", `"--fields subject,url" with "--format tsv" prints subjects; refract does not select by them`},
	{"--summary", `the summary is printed unless "--quiet" is given; "--format markdown" of "refract audit" is for a job summary`},
	{"--swap-urls", `"--site URL=DIR" of "refract audit" says which directory a URL publishes`},
	{"--threads", `"--jobs N" reads N documents at a time`},
	{"--timeout", `refract never goes online`},
	{"--tsv", `"--format tsv" of "refract" writes tab-separated values`},
	{"--two-readings", `"--parser-differences" prints the URLs that browsers read differently`},
	{"--unused", `"--orphans=all" of "refract audit" reports files that nothing uses`},
	{"--unused-files", `"--orphans=all" of "refract audit" reports files that nothing uses`},
	{"--unused-images", `"--orphans=all" of "refract audit" reports files that nothing uses`},
	{"--urls-only", `refract prints URLs only, unless "-n" is given`},
	{"--user-agent", `refract never goes online`},
	{"--verify", `links are checked by "refract audit DIR"`},
	{"--warc", `the type of an input is recognised; "--type warc" sets it`},
	{"--warn-only", `"--exit-zero" of "refract audit" exits 0 whatever is found`},
	{"--watch", `"refract lsp" audits while documents are edited`},
	{"--wayback", `"--archived INDEX" looks for captures in the index of a web archive`},
	{"--wiki-links", `"--also wiki-links" resolves them`},
	{"--with-filename", `"refract -n" prints the name of the file and the line before each URL`},
	{"--workers", `"--jobs N" reads N documents at a time`},

	{"--kind anchor", `links are "link"`},
	{"--kind image", `images are "embed", as are scripts and style sheets; "--suffix .png,.jpg" selects by the end of the URL`},
	{"--kind img", `images are "embed", as are scripts and style sheets; "--suffix .png,.jpg" selects by the end of the URL`},
}

// Synonyms returns the words of other tools, each with the text that explains it: first arguments, flags
// ("--watch", "-f"), flags of one command ("mv -n"), and flags with a value ("--kind image").
func Synonyms() map[string]string {
	all := make(map[string]string, len(synonyms))
	for _, s := range synonyms {
		all[s.name] = s.text
	}
	return all
}

// meant returns the text of a synonym, or "".
func meant(name string) string {
	if i := slices.IndexFunc(synonyms, func(s synonym) bool { return s.name == name }); i >= 0 {
		return synonyms[i].text
	}
	return ""
}

// meantFlag returns the text of a flag that c does not have, with its dashes, or "".
func meantFlag(c *cobra.Command, flag string) string {
	return cmp.Or(meant(c.Name()+" "+flag), meant(flag))
}

// checkMissing reports an argument that is no file, if it is likely to be a mistake: a pattern in quotes,
// or a misspelled name of something in its directory.
func checkMissing(c *cobra.Command, arg string, isOnly bool) error {
	if strings.ContainsAny(arg, "*?[{") && c.Flags().Lookup("glob") != nil {
		return fmt.Errorf("%q: no such file: a pattern in quotes is not expanded; write %s --glob '%s'", arg, c.CommandPath(), arg)
	}
	if !isOnly {
		return nil
	}
	dir, name := filepath.Split(strings.TrimRight(arg, "/"))
	d, err := os.Open(cmp.Or(dir, "."))
	if err != nil {
		return nil
	}
	defer d.Close()
	const most = 10_000 // entries that are compared
	names, err := d.Readdirnames(most)
	if err != nil {
		return nil
	}
	slices.Sort(names)
	if near := option.Near(name, names); near != "" {
		return fmt.Errorf("%q: no such file or directory: did you mean %q?", arg, filepath.ToSlash(dir)+near)
	}
	return nil
}
