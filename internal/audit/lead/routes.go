package lead

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/slash"
)

// routeDirs are directories of a package below which frameworks make a URL of the path of each script: ""
// is the package itself.
var routeDirs = []string{"", "routes", "server", "server/routes", "src", "src/routes", "src/server", "pages", "src/pages", "app", "src/app", "functions"}

// maxRouteNames limits how many names of a URL are looked for among the scripts of a package.
const maxRouteNames = 16

// requestScripts are the scripts of a package, without suffixes, that frameworks run before they look for
// the page of a URL.
var requestScripts = []string{"hooks", "src/hooks", "hooks.server", "src/hooks.server", "middleware", "src/middleware", "src/middleware/index", "proxy", "src/proxy"}

// laravelRoutes declares the routes and redirects of a package of Laravel, whose paths may leave out the
// slash at their beginning.
const laravelRoutes = "routes/web.php"

// RedirectedByCode returns the script that may redirect a path from the root in d, or "". Such a script
// runs before pages are looked for, is in the package that contains d, and has the path as a whole string.
func (a *Library) RedirectedByCode(d *doc.Document, components []string) string {
	u := "/" + strings.Join(components, "/")
	top := a.Boundary(d)
	for dir := d.Dir(); tree.Below(dir, top); dir = path.Dir(dir) {
		if _, ok := a.Files.List(dir).Entry("package.json"); ok {
			if file := a.requestScriptWith(dir, u); file != "" {
				return file
			}
		}
		if dir == top || path.Dir(dir) == dir {
			break
		}
	}
	return ""
}

// requestScriptWith returns the script of a package that runs before pages are looked for and has a path as
// a string, or "".
func (a *Library) requestScriptWith(dir, u string) string {
	for _, name := range requestScripts {
		for _, ext := range routeScripts {
			if a.stringsIn.Get(dir+"/"+name+ext, a.pathsIn)[u] {
				return name + ext
			}
		}
	}
	if a.stringsIn.Get(dir+"/"+laravelRoutes, a.pathsIn)[u] {
		return laravelRoutes
	}
	return ""
}

// quotedPath matches a path from the root as a whole string, quotedRoute one that may leave out its slash.
var (
	quotedPath  = lazy.New("['\"`](/[^'\"`\\s]*)['\"`]")
	quotedRoute = lazy.New("['\"]/?([^'\"\\s]+)['\"]")
)

// pathsIn returns the strings of a script that are paths from the root.
func (a *Library) pathsIn(file string) map[string]bool {
	const most = 10_000
	paths := map[string]bool{}
	if _, ok := a.Files.List(path.Dir(file)).Entry(path.Base(file)); ok {
		pattern := quotedPath
		if path.Ext(file) == ".php" {
			pattern = quotedRoute
		}
		for _, m := range pattern.FindAllSubmatch(a.TextOf(file), most) {
			paths["/"+strings.Trim(string(m[1]), "/")] = true
		}
	}
	return paths
}

// ServedByCode returns why a program may answer a reference "/x" in a page of HTML, or the zero Reason.
// There are two: a script of the package that contains the page stands where frameworks look for the one
// that answers the URL, such as api/hello.ts or api/hello/[name].ts; or a source of a program that serves
// the directory of the page has the path of the URL.
func (a *Library) ServedByCode(d *doc.Document, t *Target) reason.Reason {
	if !d.IsHTML() || !t.Rooted || len(t.Components) == 0 || len(t.Components) > maxRouteNames || d.Layout.Generated != nil {
		return reason.Reason{}
	}
	top := a.Boundary(d)
	for dir := d.Dir(); tree.Below(dir, top); dir = path.Dir(dir) {
		if _, ok := a.Files.List(dir).Entry("package.json"); ok {
			for _, name := range routeDirs {
				if file := a.routeIn(path.Join(dir, name), t.Components); file != "" {
					return codeAnswers.With(strings.TrimPrefix(file, dir+"/"))
				}
			}
			break
		}
		if dir == top || path.Dir(dir) == dir {
			break
		}
	}
	if file := a.serverFor(d, t.Components); file != "" {
		return codeAnswers.With(strings.TrimPrefix(file, top+"/"))
	}
	return reason.Reason{}
}

// routeIn returns the script below a directory that answers a path, or "". A name in brackets or after "$"
// stands for any name that has no script of its own.
func (a *Library) routeIn(dir string, names []string) string {
	for i, name := range names {
		l := a.Files.List(dir).Names
		if i == len(names)-1 {
			if file := scriptOf(l, name); file != "" {
				return dir + "/" + file
			}
		}
		next := name
		if mode, ok := l[name]; !ok || !mode.IsDir() {
			next = parameterDir(l)
		}
		if next == "" {
			if file := scriptOf(l, ""); strings.HasPrefix(file, "[...") {
				return dir + "/" + file
			}
			return ""
		}
		dir += "/" + next
	}
	l := a.Files.List(dir).Names
	for _, name := range []string{"index", "route", "+server"} {
		if file := scriptOf(l, name); file != "" && !isParameter(file) {
			return dir + "/" + file
		}
	}
	return ""
}

// scriptOf returns the script in a directory that answers the last name of a path: name.ts, name.get.ts, or
// that of a parameter.
func scriptOf(l map[string]fs.FileMode, name string) (file string) {
	for entry, mode := range l {
		ext := path.Ext(entry)
		if mode.IsDir() || !slices.Contains(routeScripts, ext) {
			continue
		}
		stem := strings.TrimSuffix(entry, ext)
		isNamed := stem == name || slices.Contains(routeMethods, strings.TrimPrefix(path.Ext(stem), ".")) && slash.Stem(stem) == name
		if (isNamed || isParameter(stem)) && (file == "" || isNamed || isParameter(file) && entry < file) {
			file = entry
		}
		if isNamed {
			return file
		}
	}
	return file
}

func parameterDir(l map[string]fs.FileMode) (dir string) {
	for entry, mode := range l {
		if mode.IsDir() && isParameter(entry) && (dir == "" || entry < dir) {
			dir = entry
		}
	}
	return dir
}

func isParameter(name string) bool {
	return strings.HasPrefix(name, "[") && strings.Contains(name, "]") || len(name) > 1 && name[0] == '$'
}

var (
	routeScripts = []string{".ts", ".js", ".mjs", ".mts", ".cjs", ".tsx", ".jsx"}
	routeMethods = []string{"get", "post", "put", "delete", "patch", "head", "options", "all"}
)

var codeAnswers = reason.New(reason.Code, "code-answers", "a program answers the URL: %s")
