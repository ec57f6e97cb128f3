package resolve_test

import (
	"fmt"

	"example.org/refract/resolve"
)

func ExampleBase_Append() {
	base := resolve.Rules{}.Base("http://a/b/c/d;p?q")
	uri, result := base.Append(nil, []byte("../../../g"))
	fmt.Printf("%s: %s, %s\n", uri, result.Step, result.Departures)
	// Output: http://a/g: relative path (5.2 step 6), above-root
}

func ExampleRules_Set() {
	rules, _ := resolve.Named("draft")
	if err := rules.Set("above-root", "remove"); err != nil {
		fmt.Println(err)
	}
	base := rules.Base("http://a/b/c/d;p?q")
	for _, ref := range []string{"../../../g", "#s"} {
		uri, result := base.Append(nil, []byte(ref))
		fmt.Printf("%s %v\n", uri, result.SameDocument())
	}
	// Output:
	// http://a/g false
	// #s true
}
