package sampling

import (
	"fmt"
	"math"

	"github.com/sgppl/sgppl/internal/formula"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

// mostLooked bounds the rows whose columns are held against each other, evenly spread, and
// mostColumns the columns.
const (
	mostLooked  = 20_000
	mostColumns = 100
)

// noteCollinear notes columns of linear predictors that nearly determine each other.
func noteCollinear(e *session.Session, b *session.Binding) {
	if b.Rows != nil || b.Bound == nil || b.Compiled.Check == nil {
		return
	}
	told := map[string]bool{}
	for _, p := range formula.Predictors(b.Compiled.Check) {
		labels, columns := columnsOf(b, p.Inputs)
		if len(columns) > mostColumns {
			continue
		}
		some := len(columns)
		labels, columns = varying(labels, whole(columns))
		if len(columns) == 0 || len(columns[0]) <= len(columns) {
			continue // the prior decides among more columns than rows, as it is meant to
		}
		intercept := p.Intercept || len(columns) < some
		if text := formula.Collinear(labels, columns, intercept); text != "" && !told[text] {
			told[text] = true
			e.Note("%s", text)
		}
	}
}

// columnsOf are the columns of inputs of real numbers with rows, some rows of each.
func columnsOf(b *session.Binding, inputs []string) (labels []string, columns [][]float64) {
	rows := -1
	for _, name := range inputs {
		in, v := b.Compiled.Spec.Schema.Input(name), b.Bound.Values[name]
		if in == nil || in.Kind != data.Real || v == nil || v.CSR != nil || len(v.Shape) == 0 ||
			len(v.Shape) > 2 || rows >= 0 && v.Shape[0] != rows {
			continue
		}
		if first, one := in.Shape[0].Name(); !one || first != b.Compiled.Spec.RowDim {
			continue
		}
		rows = v.Shape[0]
		width := 1
		if len(v.Shape) == 2 {
			width = v.Shape[1]
		}
		if len(columns)+width > mostColumns {
			return nil, nil
		}
		list, step := v.Floats(), max(1, rows/mostLooked)
		for k := range width {
			var x []float64
			for i := 0; i < rows; i += step {
				x = append(x, list[i*width+k])
			}
			columns, labels = append(columns, x), append(labels, columnLabel(b, in, k))
		}
	}
	return labels, columns
}

// columnLabel names a column of an input: by the name that its entry has, where it has one.
func columnLabel(b *session.Binding, in *data.Input, k int) string {
	if len(in.Shape) == 1 {
		return in.Name
	}
	if dim, one := in.Shape[1].Name(); one && k < len(b.Bound.Labels[dim]) {
		return b.Bound.Labels[dim][k]
	}
	return fmt.Sprintf("%s[·, %d]", in.Name, k)
}

// whole are columns without the rows in which one has no finite number.
func whole(columns [][]float64) [][]float64 {
	if len(columns) == 0 {
		return nil
	}
	out := make([][]float64, len(columns))
rows:
	for i := range columns[0] {
		for _, x := range columns {
			if math.IsNaN(x[i]) || math.IsInf(x[i], 0) {
				continue rows
			}
		}
		for k, x := range columns {
			out[k] = append(out[k], x[i])
		}
	}
	return out
}

// varying leaves out columns that have one value alone, such as that of an intercept.
func varying(labels []string, columns [][]float64) (names []string, out [][]float64) {
	for k, x := range columns {
		for _, v := range x {
			if v != x[0] {
				names, out = append(names, labels[k]), append(out, x)
				break
			}
		}
	}
	return names, out
}
