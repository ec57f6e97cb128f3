// Proxy makes a module proxy of files, as GOPROXY=file://DIR reads it, with one version of
// one module. It packs the module with the code of the go command, which refuses names and
// sizes that a module cannot have.
//
// Usage: go run ./proxy MODULE-DIR VERSION DIR
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 4 {
		log.Fatal("usage: proxy MODULE-DIR VERSION DIR")
	}
	if err := publish(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		log.Fatal("proxy: ", err)
	}
}

// publish writes the module in the directory from, as version, below the directory proxy.
func publish(from, version, proxy string) error {
	text, err := os.ReadFile(filepath.Join(from, "go.mod"))
	if err != nil {
		return err
	}
	m := module.Version{Path: modfile.ModulePath(text), Version: version}
	escaped, err := module.EscapePath(m.Path)
	if err != nil {
		return fmt.Errorf("module path %q: %w", m.Path, err)
	}
	dir := filepath.Join(proxy, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	info, err := json.Marshal(struct {
		Version string
		Time    time.Time
	}{version, time.Now().UTC().Truncate(time.Second)})
	if err != nil {
		return err
	}
	for name, text := range map[string][]byte{"list": []byte(version + "\n"), version + ".info": info, version + ".mod": text} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			return err
		}
	}
	out, err := os.Create(filepath.Join(dir, version+".zip"))
	if err != nil {
		return err
	}
	if err := zip.CreateFromDir(out, m, from); err != nil {
		return err
	}
	return out.Close()
}
