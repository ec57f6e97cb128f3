package lsp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"example.org/refract/cmd/refract/internal/auditflags"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/slash"
)

// A workspace is a folder of the client, with its configuration and the result of its last audit.
type workspace struct {
	folder      string                  // absolute, with forward slashes; "" if the client has no folder
	dir         string                  // the folder or, if that is not a directory, the working directory of the process
	options     audit.Options           // if Paths is set, it replaces the folder
	baseline    auditflags.BaselineFile // from which options has its Baseline
	cached      sync.Mutex              // held while cache is used; taken by those who hold server.mu, so that its holder must not wait for that
	cache       doc.Cache
	built       *audit.BuiltIDs // of the builds that the options name; nil without any
	note        string          // that was logged about them
	badBaseline string          // why the baseline could not be read again; "" if it could

	isStale bool          // it is to be audited
	isDone  bool          // the last audit has ended
	took    time.Duration // of the last audit
	report  *audit.Report // of the last audit; nil before the first
	failed  string        // why the last audit failed; "" if it did not
	index   index
	texts   map[string][]byte     // of the documents that were open at the last audit, by absolute path
	found   map[string]*published // of the last audit, by absolute path

	headings map[string]fileHeadings // of documents whose headings the audit does not keep
}

// owner returns the workspace that a file belongs to: that of the innermost folder around it or, if
// there is none, the first one.
func (s *server) owner(name string) (owner *workspace) {
	for _, w := range s.workspaces {
		if owner == nil || w.contains(name) && (!owner.contains(name) || len(w.folder) > len(owner.folder)) {
			owner = w
		}
	}
	return owner
}

func (w *workspace) contains(name string) bool {
	return w.folder != "" && (name == w.folder || strings.HasPrefix(name, strings.TrimSuffix(w.folder, "/")+"/"))
}

// addFolders adds workspaces. If there is none at all, it adds one without a folder. It returns the
// first error, after which the others are still added.
func (s *server) addFolders(folders []folder, settings []string) error {
	var failure error
	for _, f := range folders {
		p, ok := s.path(f.URI)
		if !ok || slices.ContainsFunc(s.workspaces, func(w *workspace) bool { return w.folder == p }) {
			continue
		}
		if len(s.workspaces) == 1 && s.workspaces[0].folder == "" {
			s.workspaces = nil
		}
		failure = cmp.Or(failure, s.addWorkspace(p, settings))
	}
	if len(s.workspaces) == 0 {
		return s.addWorkspace("", settings)
	}
	return failure
}

func (s *server) addWorkspace(folder string, settings []string) error {
	w := &workspace{folder: folder, dir: filepath.FromSlash(folder), isStale: true}
	if info, err := os.Stat(w.dir); folder == "" || err != nil || !info.IsDir() {
		dir, err := filepath.Abs(".")
		if err != nil {
			return err
		}
		w.dir = dir
	}
	s.workspaces = append(s.workspaces, w)
	return s.configureWorkspace(w, settings)
}

// configureWorkspace reads the configuration of w. On error, w keeps the one that it has.
func (s *server) configureWorkspace(w *workspace, settings []string) error {
	c, err := s.configure(w.dir, settings)
	if err != nil {
		return err
	}
	o := c.options
	o.Dir, o.Cache, o.BuiltIDs = slash.Path(w.dir), &w.cache, nil
	if len(o.Built) > 0 {
		w.built = new(audit.BuiltIDs)
		o.BuiltIDs = w.built
	}
	w.options, w.baseline, w.isStale = o, c.baseline, true
	return nil
}

// removeFolder removes a workspace. The last one stays, without its folder.
func (s *server) removeFolder(folder string) {
	i := slices.IndexFunc(s.workspaces, func(w *workspace) bool { return w.folder == folder })
	switch {
	case i < 0:
	case len(s.workspaces) == 1:
		s.workspaces[0].folder = ""
	default:
		s.workspaces = slices.Delete(s.workspaces, i, i+1)
	}
}

// arguments returns the inputs of the audit of w: the configured paths or, if there are none, the folder
// and, for the first workspace, the open documents outside of all folders.
func (s *server) arguments(w *workspace) []string {
	if w.options.Paths != nil {
		return w.options.Paths
	}
	args := []string{} // not nil: nil would mean the working directory
	if w.folder != "" {
		args = append(args, w.argument(w.folder))
	}
	for _, p := range slices.Sorted(maps.Keys(s.open)) {
		if s.owner(p) == w && !w.contains(p) && !isNoRegularFile(p) {
			args = append(args, w.argument(p))
		}
	}
	return args
}

// isNoRegularFile reports whether something other than a regular file has this name, such as a device: an audit
// that is told to read it might never end.
func isNoRegularFile(name string) bool {
	info, err := os.Stat(filepath.FromSlash(name))
	return err == nil && !info.Mode().IsRegular()
}

// argument returns a path as a command line would have it: relative if it is below the directory of
// the workspace, and not "-", which would mean standard input.
func (w *workspace) argument(p string) string {
	p = filepath.FromSlash(p)
	rel, err := filepath.Rel(w.dir, p)
	if err == nil && filepath.IsLocal(rel) && rel != "-" {
		return rel
	}
	return p
}

// section is the name of the settings in the configuration of a client.
const section = "refract"

// askSettings asks the client for the settings of each folder, and applies them.
func (s *server) askSettings() {
	var p configurationParams
	asked := slices.Clone(s.workspaces)
	for _, w := range asked {
		item := configurationItem{Section: section}
		if w.folder != "" {
			item.ScopeURI = slash.URL(w.folder)
		}
		p.Items = append(p.Items, item)
	}
	id := s.out.call("workspace/configuration", p)
	s.answered[id] = func(result json.RawMessage) {
		var all []json.RawMessage
		if json.Unmarshal(result, &all) != nil || len(all) != len(asked) {
			all = make([]json.RawMessage, len(asked)) // an error, or an editor without settings
		}
		for i, w := range asked {
			if settings := settingsOf(all[i]); settings != nil || w.report == nil {
				s.applySettings(w, settings)
			}
		}
		s.changeAll()
	}
}

// applySettings configures w with settings. If these are wrong, it tells the user.
func (s *server) applySettings(w *workspace, settings []string) {
	if len(settings) == 0 && w.report == nil {
		return // as it is configured
	}
	if err := s.configureWorkspace(w, settings); err != nil {
		s.showError(fmt.Errorf("settings: %w", err))
	}
}

func (s *server) didChangeConfiguration(p *didChangeConfigurationParams) (any, error) {
	if s.client.Workspace.Configuration {
		s.askSettings()
		return nil, nil
	}
	var all map[string]json.RawMessage
	if json.Unmarshal(p.Settings, &all) == nil && all[section] != nil {
		for _, w := range s.workspaces {
			s.applySettings(w, settingsOf(all[section]))
		}
	}
	s.changeAll()
	return nil, nil
}

// takeAnswer takes the answer of the client to a request.
func (s *server) takeAnswer(m *message) {
	id := 0
	if json.Unmarshal(m.ID, &id) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	take := s.answered[id]
	delete(s.answered, id)
	if take != nil && s.phase == running {
		take(m.Result)
	}
}

// showError shows the user what is wrong.
func (s *server) showError(err error) {
	s.out.notify("window/showMessage", logMessageParams{severityError, "refract: " + err.Error()})
}

// settingsOf returns settings, an object, as flags: {"noRule": ["orphan"]} is --no-rule=orphan.
// Values that are neither text, numbers, booleans nor lists of these are left out.
func settingsOf(object json.RawMessage) (flags []string) {
	var values map[string]any
	if json.Unmarshal(object, &values) != nil {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		list, ok := values[key].([]any)
		if !ok {
			list = []any{values[key]}
		}
		for _, v := range list {
			switch v.(type) {
			case string, bool, float64:
				flags = append(flags, fmt.Sprintf("--%s=%v", flagOf(key), v))
			}
		}
	}
	return flags
}

// flagOf returns the name of a flag for the name of a setting: "noRule" is "no-rule".
func flagOf(key string) string {
	var b strings.Builder
	for _, r := range key {
		if unicode.IsUpper(r) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
