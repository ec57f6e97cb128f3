//go:build !unix

package auditflags_test

import "errors"

func makePipe(string) error { return errors.ErrUnsupported }
