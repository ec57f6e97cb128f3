package main

import "syscall/js"

// main defines three functions, and waits for calls. refractAdd(name, bytes) adds a file, and returns "" or
// why it cannot. refractAudit() audits the files, forgets them, and returns JSON, or a text that begins
// with "error: ".
func main() {
	files := newDropped()
	js.Global().Set("refractAdd", js.FuncOf(func(_ js.Value, args []js.Value) any {
		text := make([]byte, args[1].Length())
		js.CopyBytesToGo(text, args[1])
		if err := files.add(args[0].String(), text); err != nil {
			return err.Error()
		}
		return ""
	}))
	js.Global().Set("refractAudit", js.FuncOf(func(js.Value, []js.Value) any {
		text, err := files.audit()
		files = newDropped()
		if err != nil {
			return "error: " + err.Error()
		}
		return string(text)
	}))
	select {}
}
