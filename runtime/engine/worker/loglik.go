package worker

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// blockRows is how many rows have their log likelihoods at all draws in memory at a time.
const blockRows = 256

// logliks calls take with the log likelihoods of row after row of a model, by draw.
func logliks(
	ctx context.Context, m *model.Model, d *Draws, take func(x []float64),
) error {
	eval, n := m.Evaluator(0), m.Rows()
	var list []int
	out, table := make([]float64, blockRows), make([]float64, blockRows*d.Len())
	for from := 0; from < n; from += blockRows {
		list = list[:0]
		for i := from; i < min(n, from+blockRows); i++ {
			list = append(list, i)
		}
		if err := block(ctx, eval, d, list, out[:len(list)], table); err != nil {
			return err
		}
		for i := range list {
			take(table[i*d.Len():][:d.Len()])
		}
	}
	return nil
}

// block writes the log likelihood of rows, row by row.
func block(
	ctx context.Context, eval *model.Evaluator, d *Draws, rows []int, out, table []float64,
) error {
	for k := range d.Len() {
		if err := ctx.Err(); err != nil {
			return err
		}
		eval.Observed(d.State(k), rows, out)
		for i, v := range out {
			table[i*d.Len()+k] = v
		}
	}
	return nil
}

// logLik writes [row][chain][draw] in little-endian doubles, behind a line of JSON.
func logLik(ctx context.Context, m *model.Model, q *Request) ([]byte, error) {
	d, err := ParseDraws(q.Shared)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"rows":%d,"chains":%d,"draws":%d}`+"\n", m.Rows(), d.Chains, d.Each)
	err = logliks(ctx, m, d, func(x []float64) {
		for _, v := range x {
			b.Write(binary.LittleEndian.AppendUint64(b.AvailableBuffer(), math.Float64bits(v)))
		}
	})
	return b.Bytes(), err
}

// loo writes a LOOPoint for each row: eight numbers.
func loo(ctx context.Context, m *model.Model, q *Request) ([]byte, error) {
	d, err := ParseDraws(q.Shared)
	if err != nil {
		return nil, err
	}
	var space diagnose.Workspace
	var chains [][]float64
	var out []byte
	err = logliks(ctx, m, d, func(x []float64) {
		chains = chains[:0]
		for c := range d.Chains {
			chains = append(chains, x[c*d.Each:][:d.Each])
		}
		p := space.LOO(chains)
		for _, v := range fields(&p) {
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(*v))
		}
	})
	return out, err
}

// LOOPoints reads the result of the kind "loo".
func LOOPoints(result []byte) []diagnose.LOOPoint {
	var out []diagnose.LOOPoint
	for ; len(result) >= 64; result = result[64:] {
		var p diagnose.LOOPoint
		for i, v := range fields(&p) {
			*v = math.Float64frombits(binary.LittleEndian.Uint64(result[8*i:]))
		}
		out = append(out, p)
	}
	return out
}

// fields are the numbers of a point, in the order in which they are written.
func fields(p *diagnose.LOOPoint) []*float64 {
	return []*float64{&p.ELPD, &p.MCSE, &p.LPD, &p.K, &p.Reff, &p.ESS, &p.WAIC, &p.PWAIC}
}
