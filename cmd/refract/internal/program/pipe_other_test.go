//go:build !unix

package program_test

import "errors"

func makePipe(string) error { return errors.ErrUnsupported }
