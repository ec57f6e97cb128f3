package cli

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"example.org/refract/cmd/refract/internal/jsontext"
	"example.org/refract/internal/lazy"
)

// release is the version of a release. The linker sets it.
var release string

// Version returns the version of refract (of the release, the module, or the checkout) and the
// version of Go.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	switch {
	case release != "":
		return release + " " + runtime.Version()
	case !ok:
		return "unknown"
	}
	return info.Main.Version + " " + info.GoVersion
}

// Home returns the URL of the repository of refract, which the path of its module names. It is "" if that
// is unknown, or a name that is reserved for examples (RFC 2606), as long as the module has no home.
func Home() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return homeOf(info.Main.Path)
}

// homeOf returns the URL of the repository of a module.
func homeOf(module string) string {
	host, name, _ := strings.Cut(majorSuffix.ReplaceAllString(module, ""), "/")
	isExample := host == "example.org" || host == "example.com" || host == "example.net" || strings.HasSuffix(host, ".example")
	if name == "" || isExample || !strings.Contains(host, ".") {
		return ""
	}
	return "https://" + host + "/" + name
}

// majorSuffix matches the end of the path of a module with a major version above 1; the repository has no
// such directory.
var majorSuffix = lazy.New(`/v[0-9]+$`)

// A buildOf describes the sources of a build.
type buildOf struct {
	Type     string `json:"type"`
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Modified bool   `json:"modified,omitempty"` // the checkout had changes
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// readBuild returns the sources of this build.
func readBuild() buildOf {
	b := buildOf{Type: "version", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	b.Version, _, _ = strings.Cut(Version(), " ")
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// String returns the line that --version prints.
func (b buildOf) String() string {
	commit := ""
	if b.Commit != "" {
		commit = ", commit " + b.Commit[:min(12, len(b.Commit))]
		if b.Modified {
			commit += " with changes"
		}
	}
	return fmt.Sprintf("refract %s%s, %s, %s", b.Version, commit, b.Go, b.Platform)
}

// WriteVersion writes the output of --version.
func WriteVersion(w io.Writer, asJSON bool) error {
	line := []byte(readBuild().String() + "\n")
	if asJSON {
		line = jsontext.AppendLine(nil, readBuild())
	}
	_, err := w.Write(line)
	return err
}

// Build identifies this build of refract, for files that only the same build can read.
func Build() string {
	v := Version()
	if !strings.Contains(v, "(devel)") && !strings.Contains(v, "+dirty") {
		return v
	}
	if self, err := os.Executable(); err == nil {
		if info, err := os.Stat(self); err == nil {
			v += fmt.Sprintf(" %d %d", info.Size(), info.ModTime().UnixNano())
		}
	}
	return v
}
