//go:build nocolumns

package main

import "errors"

const columnMemory = 0

// newColumns fails if the flags ask for columns.
func (o *options) newColumns(layout) (columnOutput, error) {
	if o.isColumns() {
		return nil, errors.New("--arrow and --parquet: this program was built without them (build tag nocolumns)")
	}
	return nil, nil
}
