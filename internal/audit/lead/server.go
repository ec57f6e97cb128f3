package lead

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site/source"
)

// A server is a source file of a program that answers requests.
type server struct {
	file  string
	exact map[string]bool // paths of URLs that it answers
	below map[string]bool // paths below which it answers all
	names map[string]bool // names in the paths that its strings have
}

var (
	// serverMark matches what a program uses that answers requests.
	serverMark = lazy.New(`\bFlask\(|\bFastAPI\(|\bdjango\b|\bhttp\.server\b|\b(?:aiohttp|tornado|bottle|sanic|starlette|litestar|cherrypy)\b|"net/http"|gin-gonic/gin|labstack/echo|gofiber/fiber|go-chi/chi|` +
		`['"](?:node:)?https?['"]|['"](?:express|koa|fastify|hono|polka|connect|@hapi/hapi|@hono/[\w-]+)['"]|\b(?:Bun|Deno)\.serve\b|\bsinatra\b|\bWEBrick\b|\b(?:axum|actix_web|warp|rocket)::|\bio\.javalin\b|\bspark\.Spark\b`)
	// serverMarks are in each line that serverMark matches.
	serverMarks = strings.Fields(`Flask( FastAPI( django http.server aiohttp tornado bottle sanic starlette litestar cherrypy gin-gonic/gin labstack/echo ` +
		`gofiber/fiber go-chi/chi http" http' https" https' express koa fastify hono polka connect hapi Bun.serve Deno.serve sinatra WEBrick axum:: ` +
		`actix_web:: warp:: rocket:: io.javalin spark.Spark`)
	// flaskCall has the arguments of a Flask application in its group, flaskFolder the name of the directory
	// that such arguments give.
	flaskCall   = lazy.New(`\bFlask\(((?:[^()]|\([^()]*\))*)\)`)
	flaskFolder = lazy.New(`\bstatic_folder\s*=\s*(?:[\w.]+\([^()]*)?['"](?:[^'"\n]*/)?([\w.-]+)['"]\s*(?:[,)]|$)`)
	// serverRoute matches a string with the path of a URL, behind which a method may be. It has the path up to
	// the first parameter in its group.
	serverRoute = lazy.New("['\"`](?:[A-Z]{3,7} )?(/[^'\"`\\s<{:*(]+)([^'\"`\\n]*)['\"`]")
	// serverMount matches a line whose path is one below which everything is served.
	serverMount = lazy.New(`(?i)\.use\(|mount|static|prefix|\bgroup\(|FileServer|ServeDir`)
	// djangoURL matches the settings of Django that are paths below which files are served.
	djangoURL  = lazy.New(`(?m)^(?:STATIC|MEDIA)_URL\s*=\s*['"]/?([\w/-]+)['"]`)
	pathString = lazy.New("['\"`]([\\w.@/-]+)['\"`]|//go:embed[ \\t]+([^\\n]+)")
)

// serverSuffixes are those of the sources of programs.
var serverSuffixes = []string{".py", ".go", ".js", ".mjs", ".cjs", ".ts", ".mts", ".rb", ".rs", ".java", ".kt"}

// serverDirs are the directories of a program in which its server may be, besides the program's own.
var serverDirs = []string{"", "/server", "/src", "/app", "/backend", "/api", "/cmd"}

// pageDirs are the directories in which frameworks look for pages or files without being told.
var pageDirs = []string{"templates", "views", "static", "public"}

const (
	maxServerFiles = 64 // in a directory
	maxServers     = 32 // of a document
)

// serversOf returns the servers that may serve the pages in the directory of d: those in the directory
// itself, and those in a parent directory that name the next directory on the way down.
func (a *Library) serversOf(d *doc.Document) []*server {
	return a.servers.Get(d.Dir(), func(string) (all []*server) {
		top, below := a.Boundary(d), ""
		for dir := d.Dir(); tree.Below(dir, top); dir = path.Dir(dir) {
			for _, s := range a.serversIn.Get(dir, a.findServers) {
				if (below == "" || s.names[below] || slices.Contains(pageDirs, below)) && len(all) < maxServers {
					all = append(all, s)
				}
			}
			if dir == top || path.Dir(dir) == dir {
				break
			}
			below = path.Base(dir)
		}
		return all
	})
}

// findServers returns the servers in a directory, and in those of its directories where servers usually are.
func (a *Library) findServers(dir string) (all []*server) {
	dirs := []string{}
	for _, name := range serverDirs {
		dirs = append(dirs, dir+name)
	}
	if a.Files.Has(dir, "manage.py") { // Django
		dirs = append(dirs, a.directoriesIn(dir)...)
	}
	dirs = append(dirs, a.directoriesIn(dir+"/cmd")...) // Go
	for _, at := range dirs {
		all = append(all, a.serverFiles.Get(at, a.readServers)...)
	}
	return all
}

// directoriesIn returns the first directories in a directory.
func (a *Library) directoriesIn(dir string) (dirs []string) {
	if !a.Files.Exists(dir) {
		return nil
	}
	for name, mode := range a.Files.List(dir).Names {
		if mode.IsDir() {
			dirs = append(dirs, dir+"/"+name)
		}
	}
	slices.Sort(dirs)
	return dirs[:min(len(dirs), maxServers)]
}

// readServers reads the servers that are files of a directory.
func (a *Library) readServers(dir string) (all []*server) {
	if !a.Files.Exists(dir) {
		return nil
	}
	names := []string{}
	for name, mode := range a.Files.List(dir).Names {
		if !mode.IsDir() && slices.Contains(serverSuffixes, path.Ext(name)) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names[:min(len(names), maxServerFiles)] {
		if s := readServer(dir+"/"+name, a.TextOf(dir+"/"+name)); s != nil {
			all = append(all, s)
		}
	}
	return all
}

// readServer reads what a source file answers, or returns nil if it is none of a server.
func readServer(file string, text []byte) *server {
	isSettings := path.Base(file) == "settings.py"
	if !isSettings && !source.HasMatchIn(text, serverMark, serverMarks...) {
		return nil
	}
	const most = 5_000
	s := &server{file: file, exact: map[string]bool{}, below: map[string]bool{}, names: map[string]bool{}}
	for line := range bytes.Lines(text) {
		isMount := serverMount.Match(line)
		for _, m := range serverRoute.FindAllSubmatch(line, most) {
			u := string(m[1])
			if len(m[2]) > 0 { // a parameter
				u = u[:strings.LastIndexByte(u, '/')+1]
			}
			s.add(u, isMount)
		}
	}
	for _, m := range djangoURL.FindAllStringSubmatch(string(text), most) {
		s.add("/"+m[1], true)
	}
	for _, m := range flaskCall.FindAllStringSubmatch(string(text), most) {
		s.addFlask(m[1])
	}
	for _, m := range pathString.FindAllSubmatch(text, most) {
		s.addNames(string(m[1]) + string(m[2]))
	}
	return s
}

// add adds a path that a program answers: with all below it if that is so, or if the path ends with a slash.
func (s *server) add(u string, isPrefix bool) {
	name := strings.TrimRight(u, "/")
	switch {
	case name == "":
	case isPrefix || name != u:
		s.below[name] = true
	default:
		s.exact[name] = true
	}
}

// addFlask adds the path of the files that Flask serves, unless an argument gives it: the name of their directory.
func (s *server) addFlask(arguments string) {
	folder := flaskFolder.FindStringSubmatch(arguments)
	switch {
	case strings.Contains(arguments, "static_url_path"):
	case folder != nil:
		s.add("/"+folder[1], true)
	case !strings.Contains(arguments, "static_folder"):
		s.add("/static", true)
	}
}

// addNames adds the names in the path of a file or directory, or of several. "/x" without a suffix is the
// path of a URL.
func (s *server) addNames(text string) {
	if strings.HasPrefix(text, "/") && path.Ext(text) == "" {
		return
	}
	for name := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '/' || r == ' ' || r == '"' }) {
		s.names[name] = true
	}
}

// answers reports whether the program answers a path. A file is not served from a directory beside the
// source that does not have it.
func (a *Library) answers(s *server, components []string) bool {
	dir, u := path.Dir(s.file), "/"+strings.Join(components, "/")
	if s.exact[u] {
		return true
	}
	for at := u; at != "/"; at = path.Dir(at) {
		if s.below[at] {
			return path.Ext(u) == "" || !a.Files.Exists(dir+at) || a.Files.Exists(dir+u)
		}
	}
	return false
}

// serverFor returns the source of the program that answers "/x" in a page of HTML, or "".
func (a *Library) serverFor(d *doc.Document, components []string) string {
	for _, s := range a.serversOf(d) {
		if a.answers(s, components) {
			return s.file
		}
	}
	return ""
}
