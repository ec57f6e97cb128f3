// Package user imports tiny in its tests.
package user

import (
	"testing"

	"tiny"
)

func Test(t *testing.T) {
	if tiny.Most != 5 {
		t.Error("Most")
	}
	if !tiny.Even(2) || tiny.Even(3) {
		t.Error("Even")
	}
}
