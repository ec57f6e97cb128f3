package cli

import "testing"

func TestHomeOf(t *testing.T) {
	for module, want := range map[string]string{
		"github.com/acme/refract": "https://github.com/acme/refract", "github.com/acme/refract/v2": "https://github.com/acme/refract",
		"git.acme.example/refract": "", "example.com/refract": "", "refract": "", "command-line-arguments": "", "": "",
	} {
		if got := homeOf(module); got != want {
			t.Errorf("%s: %q, want %q", module, got, want)
		}
	}
}
