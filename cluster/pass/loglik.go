package pass

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// blockRows is how many rows have their log likelihoods at all draws in memory at a time.
const blockRows = 256

// logliks calls take with the log likelihoods of row after row of a piece, by draw.
func logliks(
	ctx context.Context, e *Env, index int, take func(row int, x []float64, d *Draws) error,
) (int64, error) {
	m, _, err := e.Rows(ctx, index)
	if err != nil {
		return 0, err
	}
	d, err := e.draws(ctx)
	if err != nil {
		return 0, err
	}
	eval, n := m.Evaluator(0), m.Rows()
	var list []int
	out, table := make([]float64, blockRows), make([]float64, blockRows*d.Len())
	for from := 0; from < n; from += blockRows {
		list = list[:0]
		for i := from; i < min(n, from+blockRows); i++ {
			list = append(list, i)
		}
		if err := block(ctx, eval, d, list, out[:len(list)], table); err != nil {
			return 0, err
		}
		for i, row := range list {
			if err := take(row, table[i*d.Len():][:d.Len()], d); err != nil {
				return 0, err
			}
		}
	}
	return int64(n), nil
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

// doLogLik writes [row][chain][draw] in little-endian doubles, behind a line of JSON.
func doLogLik(ctx context.Context, e *Env, _ json.RawMessage, index int) (Result, error) {
	var b bytes.Buffer
	n, err := logliks(ctx, e, index, func(_ int, x []float64, _ *Draws) error {
		for _, v := range x {
			b.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
		}
		return nil
	})
	if err != nil {
		return Result{}, err
	}
	d, err := e.draws(ctx)
	if err != nil {
		return Result{}, err
	}
	head := fmt.Appendf(nil, `{"rows":%d,"chains":%d,"draws":%d}`+"\n", n, d.Chains, d.Each)
	return Result{append(head, b.Bytes()...), n}, nil
}

// doLOO writes a LOOPoint for each row: eight numbers.
func doLOO(ctx context.Context, e *Env, _ json.RawMessage, index int) (Result, error) {
	var space diagnose.Workspace
	var chains [][]float64
	var out []byte
	n, err := logliks(ctx, e, index, func(_ int, x []float64, d *Draws) error {
		chains = chains[:0]
		for c := range d.Chains {
			chains = append(chains, x[c*d.Each:][:d.Each])
		}
		p := space.LOO(chains)
		for _, v := range fields(&p) {
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(*v))
		}
		return nil
	})
	return Result{out, n}, err
}

// fields are the numbers of a point, in the order in which they are written.
func fields(p *diagnose.LOOPoint) []*float64 {
	return []*float64{&p.ELPD, &p.MCSE, &p.LPD, &p.K, &p.Reff, &p.ESS, &p.WAIC, &p.PWAIC}
}

// A LOO is the cross-validation of all rows.
type LOO struct {
	Points []diagnose.LOOPoint
	Sum    diagnose.LOOSummary
	Left   int // rows without a part in the likelihood
}

// LOOOf cross-validates all rows.
func LOOOf(ctx context.Context, e *Env, front Front, number int) (*LOO, error) {
	out := &LOO{}
	err := e.Pass(ctx, front, number, "loo", len(e.Run.Manifest.Shards), nil,
		func(_ int, result []byte) error {
			for ; len(result) >= 64; result = result[64:] {
				var p diagnose.LOOPoint
				for i, v := range fields(&p) {
					*v = math.Float64frombits(binary.LittleEndian.Uint64(result[8*i:]))
				}
				if p.LPD == 0 && p.PWAIC == 0 {
					out.Left++
					continue
				}
				out.Points = append(out.Points, p)
			}
			return nil
		})
	if err != nil {
		return nil, err
	}
	d, err := e.draws(ctx)
	if err != nil {
		return nil, err
	}
	if len(out.Points) < 2 {
		return nil, &Permanent{fmt.Errorf("cross-validation takes two rows or more with a part in "+
			"the likelihood, and there are %d", len(out.Points))}
	}
	out.Sum = diagnose.SumLOO(out.Points, d.Len())
	return out, nil
}
