package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
)

// The objects of SARIF 2.1.0 that this package uses. Section numbers refer to that standard.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool                `json:"tool"`
		Invocations []sarifInvocation        `json:"invocations"`
		Bases       map[string]sarifDescribe `json:"originalUriBaseIds"`
		ColumnKind  string                   `json:"columnKind"`
		Properties  sarifCoverage            `json:"properties"`
		Results     []sarifResult            `json:"results"`
	}
	// sarifCoverage is a property bag (3.8): what was checked of the references that may point into the tree.
	sarifCoverage struct {
		Checked     int              `json:"checked"`
		Skipped     int              `json:"skipped"`
		Blind       int              `json:"blind"` // of both, those that would not be reported if they were broken
		Directories []sarifDirectory `json:"directories,omitempty"`
		Reasons     map[string]int   `json:"reasons,omitempty"` // why links and names would not be reported
	}
	sarifDirectory struct {
		Name    string `json:"name"`
		Checked int    `json:"checked"`
		Skipped int    `json:"skipped"`
		Blind   int    `json:"blind"`
	}
	sarifTool struct {
		Driver struct {
			Name    string      `json:"name"`
			Version string      `json:"version,omitempty"`
			Home    string      `json:"informationUri,omitempty"`
			Rules   []sarifRule `json:"rules"`
		} `json:"driver"`
	}
	sarifRule struct {
		ID      string       `json:"id"`
		Short   sarifMessage `json:"shortDescription"`
		Full    sarifMessage `json:"fullDescription"`
		Help    sarifMessage `json:"help"`
		HelpURI string       `json:"helpUri,omitempty"`
		Default struct {
			Level rule.Level `json:"level"`
		} `json:"defaultConfiguration"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifDescribe struct {
		Description sarifMessage `json:"description"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level     rule.Level      `json:"level"`
		Message   sarifMessage    `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        rule.Level        `json:"level"`
		Message      sarifMessage      `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		Fixes        []sarifFix        `json:"fixes,omitempty"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI    string `json:"uri"`
		BaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int    `json:"startLine,omitempty"`
		StartColumn int    `json:"startColumn,omitempty"`
		EndLine     int    `json:"endLine,omitempty"`
		EndColumn   int    `json:"endColumn,omitempty"`
		ByteOffset  *int64 `json:"byteOffset,omitempty"`
		ByteLength  *int   `json:"byteLength,omitempty"`
	}
	sarifFix struct {
		Description sarifMessage  `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  *sarifRegion `json:"deletedRegion"`
		Inserted sarifMessage `json:"insertedContent"`
	}
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

	// root is the name by which readers of SARIF know the root of the sources.
	root = "%SRCROOT%"
)

// SARIF writes SARIF 2.1.0, with the properties that GitHub's code scanning requires. That accepts
// 25,000 results and shows the first 5,000. It compares runs only by primaryLocationLineHash in
// partialFingerprints, a hash of 100 characters of the document. The action that uploads the file
// computes this hash if it is missing, and warns about a different one, so sarif leaves it out.
func (r *Run) SARIF(w io.Writer) error {
	run := sarifRun{
		Invocations: []sarifInvocation{r.invocation()},
		Bases:       map[string]sarifDescribe{root: {sarifMessage{"The directory that refract was run in."}}},
		// Readers that ignore columnKind count in the units of their editor, UTF-16. Most other tools
		// write these, too.
		ColumnKind: "utf16CodeUnits",
		Properties: r.coverage(),
		Results:    []sarifResult{},
	}
	d := &run.Tool.Driver
	d.Name, d.Version, d.Home = "refract", r.Version, r.Home
	index := map[rule.Rule]int{}
	for i, rule := range rule.Rules() {
		index[rule] = i
		about := sentence(rule.About())
		k := sarifRule{ID: string(rule), Short: sarifMessage{about}, Full: sarifMessage{about}}
		k.Help.Text = about + ` "refract help audit" says how references are checked, and "refract audit --explain" why one is reported.`
		k.Default.Level = rule.Level()
		k.HelpURI = RulePage(r.Home, rule)
		d.Rules = append(d.Rules, k)
	}
	var (
		src  source
		seen = map[[sha256.Size]byte]int{}
	)
	results := listWriter{w: w}
	if err := results.begin(sarifLog{sarifSchema, "2.1.0", []sarifRun{run}}, "]}]}\n"); err != nil {
		return err
	}
	for f := range r.all() {
		at := src.region(f)
		where := artifact(f.File)
		place := at.sarif(f)
		result := sarifResult{
			RuleID: string(f.Rule), RuleIndex: index[f.Rule], Level: f.Level(), Message: sarifMessage{f.Text()},
			Locations:    []sarifLocation{{sarifPhysical{where, place}}},
			Fingerprints: map[string]string{"reference/v1": fingerprint(f, seen)},
		}
		if text, ok := fix(f, &at); ok {
			result.Fixes = []sarifFix{{
				sarifMessage{fmt.Sprintf("Write %q.", text)},
				[]sarifChange{{where, []sarifReplacement{{place, sarifMessage{text}}}}},
			}}
		}
		if err := results.add(&result); err != nil {
			return err
		}
	}
	return results.end()
}

// coverage reports what was checked.
func (r *Run) coverage() sarifCoverage {
	c := sarifCoverage{Checked: r.Checked, Skipped: r.SkippedReferences(), Blind: r.Blind(), Reasons: map[string]int{}}
	for _, d := range r.Coverage {
		c.Directories = append(c.Directories, sarifDirectory{d.Dir, d.Checked, d.Skipped, d.Blind})
	}
	for why, n := range r.BlindReasons() {
		c.Reasons[why.Cause().String()] += n
	}
	return c
}

// invocation reports inputs that could not be read, and inputs that were not read in their own
// format.
func (r *Run) invocation() sarifInvocation {
	v := sarifInvocation{Successful: len(r.Errors) == 0}
	for _, e := range r.Errors {
		n := sarifNotification{Level: rule.LevelError, Message: sarifMessage{e.Err.Error()}}
		if e.File != "" {
			n.Locations = []sarifLocation{{sarifPhysical{Artifact: artifact(e.File)}}}
		}
		v.Notifications = append(v.Notifications, n)
	}
	for _, n := range r.Notes {
		v.Notifications = append(v.Notifications, sarifNotification{
			rule.LevelNote, sarifMessage{n.Text}, []sarifLocation{{sarifPhysical{Artifact: artifact(n.File)}}},
		})
	}
	return v
}

// sarif returns r as a SARIF region (3.30), or nil if r is empty. A region without columns covers
// the whole line.
func (r *region) sarif(f *audit.Finding) *sarifRegion {
	place := &sarifRegion{StartLine: r.line}
	if r.isRead {
		place.StartColumn, place.EndLine, place.EndColumn = r.column, r.endLine, r.endColumn
	}
	if f.Rule != rule.Orphan {
		place.ByteOffset, place.ByteLength = &f.Pos.Offset, &f.Pos.Length
	} else if r.line == 0 {
		return nil
	}
	return place
}

// artifact returns the SARIF location of a file. A relative name is relative to the working
// directory of the run.
func artifact(name string) sarifArtifact {
	if !filepath.IsAbs(name) && !strings.HasPrefix(name, "/") {
		return sarifArtifact{(&url.URL{Path: name}).String(), root}
	}
	if !strings.HasPrefix(name, "/") {
		name = "/" + name // C:/x
	}
	return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: name}).String()}
}

// fingerprint identifies a finding by its rule, its file, the reference as written, and an index
// among findings that are alike in these. It stays the same when lines move.
func fingerprint(f *audit.Finding, seen map[[sha256.Size]byte]int) string {
	written := f.Written()
	if f.Ref == nil {
		written = f.Message
	}
	sum := sha256.Sum256([]byte(string(f.Rule) + "\x00" + f.File + "\x00" + written))
	seen[sum]++
	return fmt.Sprintf("%s:%d", hex.EncodeToString(sum[:16]), seen[sum])
}

// sentence returns text with an initial capital and a full stop.
func sentence(text string) string {
	first, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[n:] + "."
}

// RulePage returns the URL at which the repository with the URL home documents a rule; "" unless it is on a
// host whose URLs of files are known.
func RulePage(home string, r rule.Rule) string {
	page := "main/docs/reference/rules.md#" + string(r)
	switch {
	case strings.HasPrefix(home, "https://github.com/"):
		return home + "/blob/" + page
	case strings.HasPrefix(home, "https://gitlab.com/"):
		return home + "/-/blob/" + page
	case strings.HasPrefix(home, "https://codeberg.org/"):
		return home + "/src/branch/" + page
	}
	return ""
}
