package cli

import (
	"os"
	"testing"

	"golang.org/x/sys/windows"
)

// A console of its own, which shows escape sequences as text, shows them as colours after enableColour. What is no console is left as it is.
func TestEnableColour(t *testing.T) {
	kernel := windows.NewLazySystemDLL("kernel32.dll")
	if ok, _, err := kernel.NewProc("AllocConsole").Call(); ok != 0 {
		t.Cleanup(func() { kernel.NewProc("FreeConsole").Call() })
	} else if err != windows.ERROR_ACCESS_DENIED { // there is one
		t.Skip("no console: ", err)
	}
	f, err := os.OpenFile("CONOUT$", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	console, before, after := windows.Handle(f.Fd()), uint32(0), uint32(0)
	err = windows.GetConsoleMode(console, &before)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { windows.SetConsoleMode(console, before) })
	const wanted = windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING
	err = windows.SetConsoleMode(console, before&^wanted)
	if err != nil {
		t.Fatal(err)
	}
	if !enableColour(f) {
		t.Fatal("no colours")
	}
	err = windows.GetConsoleMode(console, &after)
	if err != nil || after != before|wanted {
		t.Errorf("mode %#x after %#x, %v", after, before, err)
	}

	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if !enableColour(file) {
		t.Error("a file has no mode, and need not")
	}
}
