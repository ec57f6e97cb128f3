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

// A synonym is a name by which other tools call something that refract has, or does without being asked.
type synonym struct {
	name string
	text string // what to write in its place: the end of a sentence that begins with the name
}

// commandSynonyms are names of commands: of lychee, linkcheck, markdown-link-check, muffet, remark, vale, git and others.
var commandSynonyms = []synonym{
	{"audit-links", `links are checked by "refract audit DIR"`},
	{"broken", `broken links are found by "refract audit DIR"`},
	{"check", `links are checked by "refract audit DIR"`},
	{"check-links", `links are checked by "refract audit DIR"`},
	{"dump", `URLs are listed by "refract FILE"`},
	{"extract", `URLs are listed by "refract FILE"`},
	{"find", `URLs are listed by "refract FILE"`},
	{"fix", `links are fixed by "refract audit --fix DIR"`},
	{"grep", `URLs are listed by "refract FILE"`},
	{"language-server", `the language server is "refract lsp"`},
	{"links", `URLs are listed by "refract FILE", links are checked by "refract audit DIR"`},
	{"lint", `links are checked by "refract audit DIR"`},
	{"list", `URLs are listed by "refract FILE"`},
	{"move", `files are moved by "refract mv OLD NEW"`},
	{"rename", `files are renamed by "refract mv OLD NEW", headings by "refract mv FILE#OLD NEW"`},
	{"replace", `destinations are replaced by "refract rewrite --map OLD=NEW"`},
	{"scan", `URLs are listed by "refract FILE", links are checked by "refract audit DIR"`},
	{"serve", `the language server is "refract lsp"`},
	{"server", `the language server is "refract lsp"`},
	{"test", `links are checked by "refract audit DIR"`},
	{"urls", `URLs are listed by "refract FILE"`},
	{"validate", `links are checked by "refract audit DIR"`},
	{"verify", `links are checked by "refract audit DIR"`},
	{"version", `it is a flag, "refract --version"`},
}

// flagSynonyms are names of flags of other tools.
var flagSynonyms = []synonym{
	{"accept", `refract never goes online, and needs no status codes`},
	{"allow", `"--ignore GLOB" ignores references`},
	{"archive", `"--archived INDEX" looks for captures in the index of a web archive, "--archives" reads ZIP and tar files in directories`},
	{"archive-org", `"--archived INDEX" looks for captures in the index of a web archive`},
	{"attachments", `attachments are always read`},
	{"base-dir", `"--root DIR" is the directory that "/x" leads into`},
	{"base-url", `"--site URL=DIR" of "refract audit" says which directory a URL publishes, "--base URL" of other commands is the base of documents without one`},
	{"captures", `"--archived INDEX" looks for captures in the index of a web archive`},
	{"cdx", `indexes are recognised by themselves; "--archived INDEX" looks for captures in one`},
	{"check-anchors", `"refract audit" always checks fragments`},
	{"check-external", `refract never goes online`},
	{"checkstyle", `"--format checkstyle" of "refract audit" writes it`},
	{"concurrency", `"--jobs N" reads N documents at a time`},
	{"config-file", `"--config FILE" reads flags from a file`},
	{"date", `"--since DATE" and "--until DATE" select messages, "--fields date,url" with "--format tsv" prints dates`},
	{"dates", `"--since DATE" and "--until DATE" select messages, "--fields date,url" with "--format tsv" prints dates`},
	{"dedup", `"--unique" prints each URL once`},
	{"dedupe", `"--unique" prints each URL once`},
	{"depth", `refract fetches nothing; "--frontier" lists what a crawler may visit next`},
	{"disable", `"--no-rule RULE" of "refract audit" turns off a rule`},
	{"distinct", `"--unique" prints each URL once`},
	{"domain", `"--host .DOMAIN" selects the hosts of a domain, "--count domain" counts domains`},
	{"enable", `"--rule RULE" of "refract audit" reports only some rules`},
	{"exclude", `"--ignore GLOB" of "refract audit" ignores references, "--glob !GLOB" excludes files`},
	{"exclude-domain", `"--host !.DOMAIN" excludes the hosts of a domain`},
	{"exclude-file", `"--glob !GLOB" excludes files`},
	{"exclude-host", `"--host !HOST" excludes a host`},
	{"exclude-path", `"--glob !GLOB" excludes files`},
	{"ext", `"--glob '*.EXT'" selects files`},
	{"extensions", `"--glob '*.EXT'" selects files`},
	{"external", `refract never goes online; "refract --scheme https --unique DIR" lists the URLs for a program that does`},
	{"fail", `findings exit 1, unless "--exit-zero" is given`},
	{"fail-on", `findings exit 1, with "--strict" also remarks`},
	{"fragments", `"refract audit" always checks fragments`},
	{"gitlab", `"--format gitlab" of "refract audit" writes it`},
	{"graph", `"--edges" lists the links of documents`},
	{"group-by", `"--count WHAT" counts by host, domain, month, sender and the like`},
	{"html-report", `"--html FILE" writes a page`},
	{"ignore-path", `"--glob !GLOB" excludes files`},
	{"ignore-pattern", `"--ignore GLOB" of "refract audit" ignores references`},
	{"ignore-url", `"--ignore GLOB" of "refract audit" ignores references`},
	{"ignore-urls", `"--ignore GLOB" of "refract audit" ignores references`},
	{"include", `"--glob GLOB" selects files`},
	{"include-fragments", `"refract audit" always checks fragments`},
	{"init", `no configuration is needed; ".refract.yaml" can hold flags of "refract audit"`},
	{"internal", `"--target-site same" selects references to the site of the document`},
	{"internal-only", `refract never goes online`},
	{"junit", `"--format junit" of "refract audit" writes it`},
	{"links-only", `"--kind link" selects links`},
	{"list-rules", `"refract audit --help" lists the rules`},
	{"local-only", `refract never goes online`},
	{"max-concurrency", `"--jobs N" reads N documents at a time`},
	{"mbox", `the type of an input is recognised; "--type mbox" sets it`},
	{"no-color", `"--color never" uses no colours`},
	{"no-external", `refract never goes online`},
	{"no-images", `"--no-rule broken-image" does not report images`},
	{"no-network", `refract never goes online`},
	{"no-online", `refract never goes online`},
	{"no-orphans", `"--no-rule orphan" leaves them out`},
	{"no-progress", `"--quiet" shows no progress; without a terminal, there is none`},
	{"nofollow", `"--frontier" leaves out what crawlers are asked not to follow`},
	{"offline", `refract never goes online`},
	{"orphaned", `"--orphans" reports documents to which nothing links, "--orphans=all" also other files`},
	{"out", `"--output FILE" writes to a file`},
	{"output-format", `"--format FORMAT" selects the output`},
	{"parallel", `"--jobs N" reads N documents at a time`},
	{"pdf", `the type of an input is recognised; "--type pdf" sets it`},
	{"recursive", `directories are always read with all below them`},
	{"report", `"--format FORMAT" selects the output, "--html FILE" writes a page`},
	{"reporter", `"--format FORMAT" selects the output`},
	{"retry", `refract never goes online`},
	{"root-dir", `"--root DIR" is the directory that "/x" leads into`},
	{"sarif", `"--format sarif" of "refract audit" writes it`},
	{"seeds", `"--frontier" lists what a crawler may visit next`},
	{"sender", `"--from SENDER" selects messages by their sender, "--count sender" counts them`},
	{"severity", `"--rule RULE" of "refract audit" reports only some rules, "--strict" exits 1 for remarks, too`},
	{"silent", `"--quiet" prints no summary`},
	{"sitemap", `with "--site URL=DIR", "refract audit" judges sitemaps; "--must-keep FILE" takes one as a list`},
	{"skip", `"--ignore GLOB" of "refract audit" ignores references, "--glob !GLOB" excludes files`},
	{"skip-external", `refract never goes online`},
	{"stats", `the summary is printed unless "--quiet" is given; "--format counts" of "refract audit" is for programs`},
	{"subject", `"--fields subject,url" with "--format tsv" prints subjects; refract does not select by them`},
	{"summary", `the summary is printed unless "--quiet" is given; "--format markdown" of "refract audit" is for a job summary`},
	{"threads", `"--jobs N" reads N documents at a time`},
	{"timeout", `refract never goes online`},
	{"unused", `"--orphans=all" of "refract audit" reports files that nothing uses`},
	{"unused-files", `"--orphans=all" of "refract audit" reports files that nothing uses`},
	{"unused-images", `"--orphans=all" of "refract audit" reports files that nothing uses`},
	{"urls-only", `refract prints URLs only, unless "-n" is given`},
	{"warc", `the type of an input is recognised; "--type warc" sets it`},
	{"warn-only", `"--exit-zero" of "refract audit" exits 0 whatever is found`},
	{"watch", `"refract lsp" audits while documents are edited`},
	{"wayback", `"--archived INDEX" looks for captures in the index of a web archive`},
	{"workers", `"--jobs N" reads N documents at a time`},
}

// Synonyms returns the names of commands and flags of other tools, each with the text that explains it.
func Synonyms() (commands, flags map[string]string) {
	commands, flags = map[string]string{}, map[string]string{}
	for _, s := range commandSynonyms {
		commands[s.name] = s.text
	}
	for _, s := range flagSynonyms {
		flags[s.name] = s.text
	}
	return commands, flags
}

// meant returns the text of a synonym, or "".
func meant(table []synonym, name string) string {
	if i := slices.IndexFunc(table, func(s synonym) bool { return s.name == name }); i >= 0 {
		return table[i].text
	}
	return ""
}

// checkMissing reports an argument that is no file, if it is likely to be a mistake: a pattern in quotes, or a misspelled
// name of something in its directory.
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
