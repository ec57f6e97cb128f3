package cli

import (
	"io"
	"strings"
)

// ShowHelp shows the help that write writes. Its lines are at most HelpWidth columns wide; if the terminal
// is narrower, they are wrapped again.
func (c *Command) ShowHelp(write func(io.Writer, *Command)) {
	w := c.OutOrStdout()
	terminal := w
	if checked, ok := w.(*checkedWriter); ok {
		terminal = checked.w
	}
	width := Width()
	if !IsTerminal(terminal) || width >= HelpWidth {
		write(w, c)
		return
	}
	var text strings.Builder
	write(&text, c)
	io.WriteString(w, Narrow(text.String(), width))
}

// Narrow wraps the paragraphs of a help text that have lines of more than width columns: prose without an indent, and
// descriptions in a column of their own. Other lines, such as commands, stay as they are.
func Narrow(text string, width int) string {
	var b strings.Builder
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); {
		indent := textColumn(lines[i])
		end := i + 1
		for lines[i] != "" && end < len(lines) && lines[end] != "" && indentOf(lines[end]) == indent && textColumn(lines[end]) == indent {
			end++
		}
		writeNarrow(&b, lines[i:end], indent, width)
		i = end
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// writeNarrow writes the lines of a paragraph whose text begins at the column indent.
func writeNarrow(b *strings.Builder, lines []string, indent, width int) {
	widest := 0
	for _, line := range lines {
		widest = max(widest, len([]rune(line)))
	}
	isCommand := indent > 0 && indent < 8 && indent == indentOf(lines[0])
	if widest <= width || isCommand || width-indent < 20 {
		for _, line := range lines {
			b.WriteString(line + "\n")
		}
		return
	}
	head, prose := lines[0][:indent], lines[0][indent:]
	for _, line := range lines[1:] {
		prose += " " + line[indent:]
	}
	for _, line := range Wrap(prose, width-indent) {
		b.WriteString(head + line + "\n")
		head = strings.Repeat(" ", indent)
	}
}

// textColumn returns the column at which the text of a line begins: behind the last gap of two spaces, or the indent.
func textColumn(line string) int {
	if gap := strings.LastIndex(strings.TrimRight(line, " "), "  "); gap >= 0 {
		return gap + 2
	}
	return 0
}

// indentOf returns the number of spaces at the beginning of a line.
func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
