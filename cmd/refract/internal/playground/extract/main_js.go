package main

import "syscall/js"

// main defines refractExtract(name, url, bytes), which returns JSON, and waits for calls.
func main() {
	js.Global().Set("refractExtract", js.FuncOf(func(_ js.Value, args []js.Value) any {
		text := make([]byte, args[2].Length())
		js.CopyBytesToGo(text, args[2])
		return string(find(args[0].String(), args[1].String(), text))
	}))
	select {}
}
