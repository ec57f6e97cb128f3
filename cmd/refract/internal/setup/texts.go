package setup

import (
	"fmt"
	"strconv"
	"strings"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/internal/lazy"
)

// owner stands in texts for the owner of the repository of refract, if it is not known.
const owner = "OWNER"

// source returns the URL of the repository of refract, and the release that CI should run.
func source() (home, release string) {
	home, release = cli.Home(), "v1.0.0"
	if home == "" {
		home = "https://git.example/" + owner + "/refract"
	}
	if version, _, _ := strings.Cut(cli.Version(), " "); isRelease.MatchString(version) {
		release = version
	}
	return home, release
}

var isRelease = lazy.New(`^v\d+\.\d+\.\d+$`)

// workflowText returns a workflow for GitHub. The action has the default arguments, so that .refract.yaml
// decides what is audited.
func workflowText() string {
	home, release := source()
	action, ok := strings.CutPrefix(home, "https://github.com/")
	if !ok {
		action = owner + "/refract"
	}
	return fmt.Sprintf(`# Reports the links that a pull request breaks, in any document.
name: links
on: pull_request
permissions:
  contents: read
jobs:
  links:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
        with: { fetch-depth: 0, persist-credentials: false }
      - uses: %s@%s
        with:
          changed-since: origin/${{ github.base_ref }}
`, action, release)
}

// gitlabText returns a job for GitLab.
func gitlabText() string {
	home, release := source()
	return fmt.Sprintf(`links:
  image: golang:1
  script:
    - git clone --depth 1 --branch %[2]s %[1]s /tmp/refract
    - go build -C /tmp/refract -o /usr/local/bin/refract ./cmd/refract
    - refract audit --format gitlab -o links.json --report junit=links.xml --report counts=links.env
  artifacts:
    when: always
    reports:
      codequality: links.json
      junit: links.xml
      dotenv: links.env
`, home, release)
}

const gitlabInclude = "include:\n  - local: " + gitlabJob + "\n"

// preCommitText returns the entry of a hook.
func preCommitText() string {
	home, release := source()
	return fmt.Sprintf("  - repo: %s\n    rev: %s\n    hooks:\n      - id: refract-audit\n", home, release)
}

// maxSites limits the sites that a configuration names.
const maxSites = 5

// configuration returns a configuration with the common keys as comments.
func (p *plan) configuration() string {
	paths := "# paths: [README.md, docs]"
	if p.below != "." {
		paths = "paths: [" + strconv.Quote(p.below) + "]" // YAML has the escapes of Go
	}
	built, generators := "site", ""
	sites := p.sites()
	for i, s := range sites {
		if i == maxSites {
			generators += "#   and others\n"
			break
		}
		generators += fmt.Sprintf("#   %s, by %s\n", s.generator, cli.OneLine(strconv.Quote(s.config)))
		if i == 0 && s.output != "" {
			built = s.output
		}
	}
	if generators != "" {
		generators = "\n# Site generators that are found by themselves:\n" + generators
	}
	return fmt.Sprintf(`# What "refract audit" does in this repository. To set a key, remove the "# " before it.
# "refract help config" lists all keys; "refract help config --schema" prints a JSON
# schema for editors. File names are relative to this file.

# The files and directories to audit:
%s

# Files to leave out:
# glob: ["!/docs/old/**"]

# References to leave out, as written. "*" also matches "/":
# ignore: ["https://staging.example.org/*"]

# Rules to turn off:
# no-rule: [unused-definition]

# Known findings: "refract audit --write-baseline known.txt" writes them to a file.
# baseline: known.txt

# The URL at which a directory is published, to check links to it:
# site: ["https://example.org/docs/=docs"]

# Also report documents to which no other links; all: also images and other unused files:
# orphans: true

# The output of a build, to check what links become. The directory must always exist.
# built: [%s]
%s`, paths, strconv.Quote(built), generators)
}
