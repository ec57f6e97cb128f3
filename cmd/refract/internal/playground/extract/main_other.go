//go:build !js

package main

func main() { println("build it with GOOS=js GOARCH=wasm: see contrib/playground") }
