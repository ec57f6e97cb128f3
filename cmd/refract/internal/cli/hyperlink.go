package cli

import (
	"os"
	"path/filepath"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/slash"
)

// Hyperlinked reports whether output has hyperlinks, for a value of --hyperlink: if it goes to a terminal
// that understands escape sequences, or always.
func Hyperlinked(when string, toTerminal bool) bool {
	return when == "always" || when == "auto" && toTerminal && os.Getenv("TERM") != "dumb" && enableColour(os.Stdout)
}

// AppendLink appends text that a terminal shows as a hyperlink to url, by the escape sequence OSC 8. A
// terminal that does not know the sequence shows the text. If url is "", AppendLink appends just the text.
func AppendLink(dst []byte, url string, text []byte) []byte {
	if url == "" {
		return append(dst, text...)
	}
	dst = append(append(append(dst, "\x1b]8;;"...), url...), "\x1b\\"...)
	return append(append(dst, text...), "\x1b]8;;\x1b\\"...)
}

// FileLink returns a URL of a file for AppendLink. Outside of Windows it has the name of this machine, by
// which a terminal knows whether it can open the file: it may show the output of another machine.
func FileLink(name string) string {
	full, err := filepath.Abs(name)
	if err != nil {
		return ""
	}
	url := slash.URL(full)
	if slash.Here() == slash.Windows {
		return url
	}
	return "file://" + localHost.Get(hostName) + strings.TrimPrefix(url, "file://")
}

var localHost lazy.Value[string]

// hostName returns the name of this machine, or "" if a URL cannot have it.
func hostName() string {
	name, err := os.Hostname()
	if err != nil || !isHostName.MatchString(name) {
		return ""
	}
	return name
}

var isHostName = lazy.New(`^[A-Za-z0-9._-]+$`)
