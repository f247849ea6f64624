package format_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

// show writes a value in one line.
func show(v *array.Value) string {
	if v == nil {
		return "none"
	}
	if m := v.CSR; m != nil {
		return fmt.Sprintf("%v %d×%d %v %v %v", v.Shape, m.Rows, m.Cols, m.Indptr, m.Index, m.Value)
	}
	return fmt.Sprintf("%v %v", v.Shape, v.Floats())
}

func zipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.String()
}

func showBound(b *data.Bound) string {
	parts := []string{fmt.Sprint(b.Dims)}
	for _, name := range slices.Sorted(maps.Keys(b.Values)) {
		v := *b.Values[name]
		if v.CSR == nil {
			v.F64, v.Bytes = v.Floats(), nil
		}
		parts = append(parts, name+"="+show(&v))
	}
	return strings.Join(parts, " ")
}
