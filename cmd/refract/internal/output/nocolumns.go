//go:build nocolumns

package output

import "errors"

// ColumnMemory limits what --format arrow and --parquet add to the memory of a run.
const ColumnMemory = 0

// NewColumns fails if columns are asked for.
func NewColumns(arrow bool, parquet string, _ int64, _ string, _ int64, _ layout) (ColumnOutput, error) {
	if arrow || parquet != "" {
		return nil, errors.New("--format arrow and --parquet: this program was built without them (build tag nocolumns)")
	}
	return nil, nil
}
