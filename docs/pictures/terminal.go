//go:build ignore

// Terminal draws the contents of a terminal as SVG: standard input is the output of a command for
// terminals, the argument is the command line above it.
package main

import (
	"bufio"
	"fmt"
	"html"
	"log"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"
)

const (
	lineHeight = 19
	charWidth  = 8.43 // of 14 px in the fonts below
	margin     = 16
)

var colours = map[string]string{
	"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff", "35": "#d2a8ff", "36": "#76e3ea", "2": "#8b949e",
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: terminal COMMAND <output >picture.svg")
	}
	escape := regexp.MustCompile("\x1b\\[([0-9;]*)m")
	lines := []string{"\x1b[32m$\x1b[0m " + os.Args[1]}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		lines = append(lines, strings.TrimRight(in.Text(), "\r"))
	}
	if err := in.Err(); err != nil {
		log.Fatal(err)
	}
	columns := 0
	for _, line := range lines {
		columns = max(columns, utf8.RuneCountInString(escape.ReplaceAllString(line, "")))
	}
	width, height := 2*margin+int(float64(columns)*charWidth)+1, 2*margin+len(lines)*lineHeight
	fmt.Printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d">`+"\n", width, height, width, height)
	fmt.Printf(`<rect width="%d" height="%d" rx="8" fill="#0d1117"/>`+"\n", width, height)
	fmt.Println(`<g font-family="ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#e6edf3">`)
	for i, line := range lines {
		draw(line, escape, margin+(i+1)*lineHeight-5)
	}
	fmt.Println("</g>\n</svg>")
}

// draw writes one line of the terminal. Each run of one colour stands at its column, so that marks
// are below what they mark with any font. Spaces around it are not drawn: viewers collapse them.
func draw(line string, escape *regexp.Regexp, y int) {
	colour, column := "", 0
	for line != "" {
		at := escape.FindStringSubmatchIndex(line)
		text := line
		if at != nil {
			text = line[:at[0]]
		}
		if text != "" {
			n := utf8.RuneCountInString(text)
			shown := strings.TrimRight(text, " ")
			indent := len(shown) - len(strings.TrimLeft(shown, " "))
			shown = strings.ReplaceAll(shown[indent:], "  ", " \u00a0")
			fill := ""
			if colour != "" {
				fill = fmt.Sprintf(` fill="%s"`, colour)
			}
			if shown != "" {
				fmt.Printf(`<text x="%.1f" y="%d" textLength="%.1f" lengthAdjust="spacingAndGlyphs"%s>%s</text>`+"\n",
					margin+float64(column+indent)*charWidth, y, float64(utf8.RuneCountInString(shown))*charWidth, fill, html.EscapeString(shown))
			}
			column += n
		}
		if at == nil {
			return
		}
		colour = colours[line[at[2]:at[3]]]
		line = line[at[1]:]
	}
}
