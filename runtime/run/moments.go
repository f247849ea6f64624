package run

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/target"
	"github.com/sgppl/sgppl/runtime/trace"
)

// MomentsGroup is the group of a store that has, instead of draws or beside
// them, by chain: count, the number of draws, and of every output NAME the
// arrays NAME.mean and NAME.variance, of divisor count − 1, NaN below 2 draws.
const MomentsGroup = "posterior_moments"

// momentVariables are the arrays of the group.
func momentVariables(outputs []target.Output) []trace.Variable {
	vars := []trace.Variable{{Group: MomentsGroup, Name: "count", Doc: "draws of the chain", DType: trace.Int64, Static: true, PerChain: true}}
	for _, o := range outputs {
		for _, what := range []string{"mean", "variance"} {
			vars = append(vars, trace.Variable{Group: MomentsGroup, Name: o.Name + "." + what, Doc: fmt.Sprintf("%s over the draws of the chain of %s", what, o.Name),
				Dims: o.Dims, Shape: o.Shape, Static: true, PerChain: true})
		}
	}
	return vars
}

// moments are the running means and sums of squared deviations of a chain's
// outputs (Welford 1962, "Note on a method for calculating corrected sums of
// squares and products"): memory for two numbers an entry, whatever the draws.
type moments struct {
	outputs []target.Output
	count   int64
	mean    []float64
	square  []float64 // Σ (x − mean)²
	room    []float64 // for variances
}

func newMoments(outputs []target.Output) *moments {
	n, most := 0, 0
	for _, o := range outputs {
		n, most = n+o.Len, max(most, o.Len)
	}
	return &moments{outputs: outputs, mean: make([]float64, n), square: make([]float64, n), room: make([]float64, most)}
}

// add takes a draw, laid out as the target's outputs.
func (m *moments) add(draw []float64) {
	m.count++
	n, at := float64(m.count), 0
	for i := range m.outputs {
		o := &m.outputs[i]
		mean, square := m.mean[at:at+o.Len], m.square[at:at+o.Len]
		for k, x := range draw[o.Offset : o.Offset+o.Len] {
			d := x - mean[k]
			mean[k] += d / n
			square[k] += float64(d * (x - mean[k]))
		}
		at += o.Len
	}
}

// write puts the moments into a store.
func (m *moments) write(s *trace.Store, chain int) error {
	at := 0
	for i := range m.outputs {
		o := &m.outputs[i]
		room := m.room[:o.Len]
		for k, q := range m.square[at : at+o.Len] {
			room[k] = math.NaN()
			if m.count > 1 {
				room[k] = q / float64(m.count-1)
			}
		}
		if err := s.WritePerChain(MomentsGroup, o.Name+".mean", chain, m.mean[at:at+o.Len]); err != nil {
			return err
		}
		if err := s.WritePerChain(MomentsGroup, o.Name+".variance", chain, room); err != nil {
			return err
		}
		at += o.Len
	}
	return s.WritePerChain(MomentsGroup, "count", chain, []float64{float64(m.count)})
}

// appendTo appends the moments to a checkpoint, from which load takes them.
func (m *moments) appendTo(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(m.count))
	for _, list := range [][]float64{m.mean, m.square} {
		for _, x := range list {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
	}
	return b
}

func (m *moments) load(b []byte) error {
	if len(b) != 8*(1+len(m.mean)+len(m.square)) {
		return fmt.Errorf("the moments of the checkpoint are %d bytes, and the model's %d", len(b), 8*(1+len(m.mean)+len(m.square)))
	}
	m.count = int64(binary.LittleEndian.Uint64(b))
	for i := range m.mean {
		m.mean[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*(1+i):]))
		m.square[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*(1+len(m.mean)+i):]))
	}
	return nil
}
