package parquet

import (
	"bufio"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/sgppl/sgppl/runtime/results/trace"
)

func init() { trace.RegisterTable("parquet", Write) }

// rowsInGroup is how many rows a row group has at most, fewer where they are
// wide: a group is in memory until it is written.
const rowsInGroup = 1 << 20

// Write writes a table of draws: whole numbers chain and draw, then columns of
// doubles, in their order. draws calls its argument for each row.
func Write(
	w *bufio.Writer, columns []string,
	draws func(row func(chain, draw int, values [][]float64) error) error,
) error {
	names := append([]string{"chain", "draw"}, columns...)
	group := parquet.Group{}
	for i, name := range names {
		node := parquet.Leaf(parquet.DoubleType)
		if i < 2 {
			node = parquet.Int(64)
		}
		group[name] = parquet.Compressed(node, &zstd.Codec{})
	}
	schema := parquet.NewSchema("draws", ordered{group, names})
	out := parquet.NewWriter(io.Writer(w), schema,
		parquet.MaxRowsPerRowGroup(int64(max(rowsInGroup/len(names), 1000))))
	row := make(parquet.Row, len(names))
	rows := []parquet.Row{row}
	err := draws(func(chain, draw int, values [][]float64) error {
		row[0] = parquet.Int64Value(int64(chain)).Level(0, 0, 0)
		row[1] = parquet.Int64Value(int64(draw)).Level(0, 0, 1)
		k := 2
		for _, x := range values {
			for _, v := range x {
				row[k] = parquet.DoubleValue(v).Level(0, 0, k)
				k++
			}
		}
		_, err := out.WriteRows(rows)
		return err
	})
	if err != nil {
		return err
	}
	return out.Close()
}

// ordered is a group whose columns come in the order of names; the library's
// own are sorted.
type ordered struct {
	parquet.Group
	names []string
}

func (o ordered) Fields() []parquet.Field {
	fields := o.Group.Fields()
	at := make(map[string]int, len(o.names))
	for i, name := range o.names {
		at[name] = i
	}
	slices.SortFunc(fields, func(a, b parquet.Field) int { return at[a.Name()] - at[b.Name()] })
	return fields
}
