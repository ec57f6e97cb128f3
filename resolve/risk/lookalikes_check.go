//go:build ignore

// Lookalikes_check compares the table in lookalikes.go with confusables.txt, whose
// path is in the environment variable CONFUSABLES. It prints the entries of the table
// that the file maps to something else, and the small letters of the file that the
// table does not have. Whoever updates the table decides which of those to add.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

func main() {
	log.SetFlags(0)
	name := os.Getenv("CONFUSABLES")
	if name == "" {
		log.Fatal("set CONFUSABLES to the path of confusables.txt")
	}
	source, err := read(name)
	if err != nil {
		log.Fatal(err)
	}
	code, err := os.ReadFile("lookalikes.go")
	if err != nil {
		log.Fatal(err)
	}
	table := map[rune]string{}
	for _, m := range regexp.MustCompile(`'(.)': '([a-z])'`).FindAllStringSubmatch(string(code), -1) {
		r := []rune(m[1])[0]
		table[r] = m[2]
		if source[r] != m[2] {
			fmt.Printf("%c U+%04X: %q in the table, %q in the file\n", r, r, m[2], source[r])
		}
	}
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		s := source[r]
		if table[r] == "" && len(s) == 1 && 'a' <= s[0] && s[0] <= 'z' && unicode.IsLower(r) &&
			unicode.In(r, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Latin) {
			fmt.Printf("%c U+%04X: %q in the file only\n", r, r, s)
		}
	}
}

// read returns what each character looks like, from lines of the form "0430 ;\t0061 ;\tMA\t# comment".
func read(name string) (map[rune]string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	source := map[rune]string{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := strings.Split(strings.TrimPrefix(lines.Text(), "\ufeff"), ";")
		if len(fields) < 3 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		from, err := strconv.ParseInt(strings.TrimSpace(fields[0]), 16, 32)
		if err != nil {
			return nil, fmt.Errorf("%s: %q: %w", name, lines.Text(), err)
		}
		var to strings.Builder
		for _, hex := range strings.Fields(fields[1]) {
			c, err := strconv.ParseInt(hex, 16, 32)
			if err != nil {
				return nil, fmt.Errorf("%s: %q: %w", name, lines.Text(), err)
			}
			to.WriteRune(rune(c))
		}
		source[rune(from)] = to.String()
	}
	return source, lines.Err()
}
