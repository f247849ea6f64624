package worker

import (
	"context"
	"fmt"
	"strconv"

	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// predict writes a csv: for each row the expected value of each observed name
// of numbers, and the probability of each class of one with classes, averaged over draws.
func predict(ctx context.Context, m *model.Model, q *Request) ([]byte, error) {
	d, err := ParseDraws(q.Shared)
	if err != nil {
		return nil, err
	}
	var columns []string
	var means [][]float64 // by site: [row][class]
	var widths []int
	for i := range m.Spec.Sites {
		s := &m.Spec.Sites[i]
		if !s.Rows {
			continue
		}
		n := 1
		if !s.Mean {
			if n, _ = s.Classes.Eval(m.Dims); n < 1 {
				continue
			}
		}
		mean, err := average(ctx, m, s, n, d)
		if err != nil {
			return nil, err
		}
		means, widths = append(means, mean), append(widths, n)
		for c := range n {
			if name := s.Name; n == 1 {
				columns = append(columns, name)
			} else {
				columns = append(columns, fmt.Sprintf("%s.%d", name, c))
			}
		}
	}
	if len(columns) == 0 {
		return nil, fmt.Errorf("%s: nothing that is observed row by row has an "+
			"expected value or classes", m.Name())
	}
	return table(columns, means, widths, m.Rows()), nil
}

// average is the mean over draws of the expected value of each row, or of the probability of
// each of its n classes.
func average(
	ctx context.Context, m *model.Model, s *model.Site, n int, d *Draws,
) ([]float64, error) {
	eval := m.Evaluator(0)
	sum, one := make([]float64, m.Rows()*n), make([]float64, m.Rows()*n)
	for k := range d.Len() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if s.Mean {
			eval.Mean(s.Name, d.State(k), nil, one)
		} else {
			eval.Classes(s.Name, d.State(k), nil, n, one)
			for i, l := range one {
				one[i] = special.Exp(l)
			}
		}
		for i, x := range one {
			sum[i] += x
		}
	}
	for i := range sum {
		sum[i] /= float64(d.Len())
	}
	return sum, nil
}

// table is the text of columns.
func table(columns []string, means [][]float64, widths []int, rows int) []byte {
	var b []byte
	for i, c := range columns {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, c...)
	}
	b = append(b, '\n')
	for r := range rows {
		first := true
		for k, mean := range means {
			for _, x := range mean[r*widths[k]:][:widths[k]] {
				if !first {
					b = append(b, ',')
				}
				b, first = strconv.AppendFloat(b, x, 'g', -1, 64), false
			}
		}
		b = append(b, '\n')
	}
	return b
}
