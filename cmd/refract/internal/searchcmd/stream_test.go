package searchcmd

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Each reference in a pipe is printed before more is written to it.
func TestStream(t *testing.T) {
	for _, args := range [][]string{nil, {"--jobs", "1"}, {"--unique"}, {"--json"}, {"-n"}, {"--line-buffered", "--jobs", "4"}, {"-t", "text", "-"}} {
		t.Run("", func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // not to wait for a line that never comes
			defer cancel()
			cmd := exec.CommandContext(ctx, "refract", args...)
			cmd.Stderr = os.Stderr
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			stdout, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			out := bufio.NewReader(stdout)
			for _, text := range []string{"http://a.example/1\n", "no reference\nhttp://b.", "example/2 and\n", "http://c.example/3\nhttp://d."} {
				if _, err := io.WriteString(in, text); err != nil {
					t.Fatal(err)
				}
				if text == "no reference\nhttp://b." {
					continue
				}
				if line, err := out.ReadString('\n'); err != nil {
					t.Fatalf("%q after %q: %v", line, text, err)
				}
			}
			in.Close()
			if rest, err := io.ReadAll(out); err != nil || len(rest) == 0 {
				t.Errorf("%q, %v after the end", rest, err)
			}
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
		})
	}
}

// A pipe that delivers mail slowly has the columns of mail: what decides is its first piece, before which no header is written.
func TestStreamMail(t *testing.T) {
	for _, tt := range []struct {
		want string // of the header
		args string
		text []string
	}{
		{",date_utc,", "--csv", []string{"From: a@h.example\n", "Subject: b\nDate: Tue, 1 Apr 2003 02:00:00 +0200\n", "\nhttp://h.example/a\n"}},
		{"\tdate_utc\t", "--format tsv --unique", []string{"From x  Tue Apr  1 09:28:56", " 1997\nFrom: a@h.example\n\nhttp://h.example/a\n"}},
		{",url,error\n", "--csv --unique", []string{"From here,\n", "see http://h.example/a\n"}},
		{",url,error\n", "--csv", []string{""}},
		{",date_utc,", "--csv -t mbox", []string{""}},
		{"from\r\n", "--csv=excel --fields from", []string{"From: a@h.example\n", "\nhttp://h.example/a\n"}},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, "refract", append([]string{"-q"}, strings.Fields(tt.args)...)...)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		cmd.Stdout, cmd.Stderr = &out, os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for _, text := range tt.text {
			io.WriteString(in, text)
			time.Sleep(20 * time.Millisecond)
		}
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
		header, rest, _ := strings.Cut(out.String(), "\n")
		if !strings.Contains(header+"\n", tt.want) || (rest == "") != (tt.text[0] == "") {
			t.Errorf("%s: %q, want %q", tt.args, out.String(), tt.want)
		}
	}
}
