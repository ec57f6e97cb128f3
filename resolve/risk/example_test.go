package risk_test

import (
	"fmt"
	"strings"

	"example.org/refract/resolve/risk"
)

// What is suspicious about a URL.
func ExampleOf() {
	for _, url := range []string{
		"http://example.org/",
		"http://www.bank.example@192.168.0.1/",
		"http://0x7f.1:8080/",
		"http://аpple.example/", // a Cyrillic letter
	} {
		fmt.Printf("%q\n", strings.Join(risk.Of([]byte(url)).Names(), ", "))
	}
	// Output:
	// ""
	// "userinfo-spoof, private-host, userinfo, ip-host"
	// "port-nondefault, numeric-host, loopback, ip-host"
	// "mixed-script, confusable"
}
