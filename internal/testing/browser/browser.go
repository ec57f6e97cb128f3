// Package browser drives a headless Chromium for tests of web pages.
package browser

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/testing/scantest"
)

// A Browser is a headless Chromium with one page, controlled by the DevTools protocol:
// JSON messages, each terminated by NUL, through two pipes.
type Browser struct {
	t       *testing.T
	in      io.Writer
	answers chan message
	session string
	last    int
	events  []message // that arrived while waiting for answers
}

type message struct {
	ID      int             `json:"id,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

// Start starts a browser that ends with the test. Without Chromium, it skips the test.
func Start(t *testing.T, width, height int) *Browser {
	t.Helper()
	scantest.Long(t, "starts a browser")
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no browser: ", err)
	}
	theirs, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, ours, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
		fmt.Sprintf("--window-size=%d,%d", width, height), "--user-data-dir="+t.TempDir(), "about:blank")
	cmd.ExtraFiles = []*os.File{theirs, ours}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	ours.Close()
	b := &Browser{t: t, in: in, answers: make(chan message, 1000)}
	t.Cleanup(func() {
		fmt.Fprintf(in, `{"id":1000000,"method":"Browser.close"}`+"\x00")
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			cmd.Process.Kill()
			<-ended
		}
		in.Close()
		out.Close()
	})
	go func() {
		defer close(b.answers)
		r := bufio.NewReader(out)
		for {
			text, err := r.ReadBytes(0)
			if err != nil {
				return
			}
			var m message
			if json.Unmarshal(text[:len(text)-1], &m) == nil {
				b.answers <- m
			}
		}
	}()
	var target struct{ TargetID, SessionID string }
	b.Call(&target, "Target.createTarget", map[string]any{"url": "about:blank"})
	b.Call(&target, "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true})
	b.session = target.SessionID
	for _, domain := range []string{"Page", "Runtime", "Network", "Log"} {
		b.Call(nil, domain+".enable", nil)
	}
	return b
}

// next returns the next message. It fails the test if none arrives.
func (b *Browser) next() message {
	b.t.Helper()
	select {
	case m, ok := <-b.answers:
		if !ok {
			b.t.Fatal("the browser has ended")
		}
		return m
	case <-time.After(60 * time.Second):
		b.t.Fatal("no answer of the browser")
	}
	panic("not reached")
}

// Call calls a method and decodes the answer into result.
func (b *Browser) Call(result any, method string, params any) {
	b.t.Helper()
	b.last++
	text, err := json.Marshal(struct {
		ID      int    `json:"id"`
		Session string `json:"sessionId,omitempty"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{b.last, b.session, method, params})
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.in.Write(append(text, 0)); err != nil {
		b.t.Fatal(err)
	}
	for {
		m := b.next()
		if m.ID == 0 {
			b.events = append(b.events, m)
		} else if m.ID == b.last {
			if m.Error != nil {
				b.t.Fatalf("%s: %s", method, m.Error)
			}
			if result != nil {
				if err := json.Unmarshal(m.Result, result); err != nil {
					b.t.Fatalf("%s: %v", method, err)
				}
			}
			return
		}
	}
}

// Open loads a page and waits until it is complete.
func (b *Browser) Open(url string) {
	b.t.Helper()
	b.events = nil
	b.Call(nil, "Page.navigate", map[string]any{"url": url})
	b.Wait("document.readyState === 'complete' && location.href !== 'about:blank'")
}

// Marks opens a page and waits until the condition ready is true. It returns when the page was first painted with
// content, and when it set each of marks, in milliseconds after the start of the navigation.
func (b *Browser) Marks(url, ready string, marks ...string) (ms []int) {
	b.t.Helper()
	b.Eval("window.isOld = true")
	b.events = nil
	b.Call(nil, "Page.navigate", map[string]any{"url": url})
	b.Wait("!window.isOld && " + ready)
	const paint = "first-contentful-paint"
	b.Wait("performance.getEntriesByName('" + paint + "').length > 0")
	for _, mark := range append([]string{paint}, marks...) {
		n, err := strconv.Atoi(b.Eval("Math.round(performance.getEntriesByName('" + mark + "')[0].startTime)"))
		if err != nil {
			b.t.Fatal(err)
		}
		ms = append(ms, n)
	}
	return ms
}

// Eval returns the value of a JavaScript expression as text.
func (b *Browser) Eval(expression string) string {
	b.t.Helper()
	text, err := b.try(expression)
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return text
}

func (b *Browser) try(expression string) (string, error) {
	b.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails *struct{ Exception struct{ Description string } }
	}
	b.Call(&r, "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true})
	if r.ExceptionDetails != nil {
		return "", errors.New(r.ExceptionDetails.Exception.Description)
	}
	if s, ok := r.Result.Value.(string); ok {
		return s, nil
	}
	text, err := json.Marshal(r.Result.Value)
	return string(text), err
}

// Wait waits until an expression is true.
func (b *Browser) Wait(expression string) {
	b.t.Helper()
	for start := time.Now(); time.Since(start) < 60*time.Second; time.Sleep(20 * time.Millisecond) {
		if text, err := b.try(expression); err == nil && text == "true" {
			return
		}
	}
	b.t.Fatalf("never true: %s", expression)
}

// Is checks the value of an expression.
func (b *Browser) Is(expression, want string) {
	b.t.Helper()
	if got := b.Eval(expression); got != want {
		b.t.Errorf("%s\n got %s\nwant %s", expression, got, want)
	}
}

// Mouse sends a mouse event, such as "mouseMoved" or "mousePressed".
func (b *Browser) Mouse(kind string, x, y float64) {
	b.t.Helper()
	p := map[string]any{"type": kind, "x": x, "y": y}
	if kind != "mouseMoved" {
		p["button"], p["clickCount"] = "left", 1
	}
	b.Call(nil, "Input.dispatchMouseEvent", p)
}

func (b *Browser) Click(x, y float64) {
	b.t.Helper()
	b.Mouse("mouseMoved", x, y)
	b.Mouse("mousePressed", x, y)
	b.Mouse("mouseReleased", x, y)
}

// Drop drags files and directories from outside to an element, and drops them there.
func (b *Browser) Drop(selector string, names ...string) {
	b.t.Helper()
	var at struct{ X, Y float64 }
	text := b.Eval("(() => { const e = document.querySelector('" + selector + "'); e.scrollIntoView(); const r = e.getBoundingClientRect(); return JSON.stringify({ x: r.x + r.width / 2, y: r.y + r.height / 2 }) })()")
	err := json.Unmarshal([]byte(text), &at)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, kind := range []string{"dragEnter", "dragOver", "drop"} {
		b.Call(nil, "Input.dispatchDragEvent", map[string]any{"type": kind, "x": at.X, "y": at.Y,
			"data": map[string]any{"items": []any{}, "files": names, "dragOperationsMask": 1}})
	}
}

// Frame returns the page in the only frame of b's page, which has another origin and so a process of its
// own. Neither b nor the frame misses an answer if they are used in turns.
func (b *Browser) Frame() *Browser {
	b.t.Helper()
	b.Call(nil, "Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true})
	for range 100 {
		for _, e := range b.events {
			var p struct {
				SessionID  string
				TargetInfo struct{ Type string }
			}
			if e.Method == "Target.attachedToTarget" && json.Unmarshal(e.Params, &p) == nil && p.TargetInfo.Type == "iframe" {
				frame := *b
				frame.session, frame.last = p.SessionID, b.last+1_000_000
				return &frame
			}
		}
		time.Sleep(20 * time.Millisecond)
		b.Eval("0")
	}
	b.t.Fatal("no frame")
	return nil
}

// Shot saves a screenshot in the directory SHOTS, for people to look at.
func (b *Browser) Shot(name string) {
	b.t.Helper()
	dir := os.Getenv("SHOTS")
	if dir == "" {
		return
	}
	time.Sleep(300 * time.Millisecond) // until animations have ended
	var r struct{ Data string }
	b.Call(&r, "Page.captureScreenshot", map[string]any{"format": "png"})
	data, err := base64.StdEncoding.DecodeString(r.Data)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), data, 0o644)
	}
	if err != nil {
		b.t.Error(err)
	}
}

// Clean checks that the page has requested nothing from the network or from another
// file since it was opened, and that there was no exception, console message or violation of the policy.
func (b *Browser) Clean(url string) {
	b.t.Helper()
	b.Eval("0") // earlier events have been received by now
	requests := 0
	for _, e := range b.events {
		switch e.Method {
		case "Network.requestWillBeSent":
			var p struct{ Request struct{ URL string } }
			json.Unmarshal(e.Params, &p)
			if p.Request.URL == url {
				requests++
			} else if !strings.HasPrefix(p.Request.URL, "data:") { // of the icon: it is in the page
				b.t.Errorf("asks for %s", p.Request.URL)
			}
		case "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded":
			b.t.Errorf("%s: %s", e.Method, e.Params)
		}
	}
	if requests != 1 {
		b.t.Errorf("%d requests for the page: were they watched?", requests)
	}
}
