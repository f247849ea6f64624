package model

import (
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// MaskPrefix is the prefix of the names of data that hold the random numbers of dropout.
const MaskPrefix = "dropout "

// IsMask reports whether a datum holds the random numbers of dropout.
func IsMask(datum string) bool { return strings.HasPrefix(datum, MaskPrefix) }

// A Mask is a use of dropout in a model.
type Mask struct {
	Name  string // the name of the datum that the function gradient reads
	Place string // file:line
}

// noDrop is the value of a mask entry that is not dropped; other entries are uniform random
// numbers.
const noDrop = -1

// A masks holds the random numbers of dropout, which the function gradient reads. They are uniform
// on (0, 1) in training, otherwise noDrop.
type masks struct {
	at     []int // indices in Spec.Data
	train  bool
	step   uint64
	stream rng.Stream
	room   []float64 // buffer for the masks of one row, one after another
}

// newMasks returns the masks of a model. It returns nil if the model has none.
func (e *Evaluator) newMasks() *masks {
	k := &masks{}
	for i, d := range e.m.Spec.Data {
		if d.Filled && IsMask(d.Name) {
			k.at = append(k.at, i)
			e.frame.Dense[i] = nil
		}
	}
	if len(k.at) == 0 {
		return nil
	}
	return k
}

// Masks implements target.MaskTarget.
func (m *Model) Masks() []string {
	var out []string
	for _, k := range m.Spec.Masks {
		if !slices.Contains(out, k.Place) {
			out = append(out, k.Place)
		}
	}
	return out
}

// Train implements target.MaskEvaluator.
func (e *Evaluator) Train(seed uint64, chain int) {
	if e.masks != nil {
		e.masks.train, e.masks.stream = true, rng.New(seed, chain, rng.Dropout)
	}
}

// MaskStep implements target.MaskEvaluator.
func (e *Evaluator) MaskStep(step uint64) {
	if e.masks != nil {
		e.masks.step = step
	}
}

// mask fills the masks of a block. The first row of the block has index start in the call.
func (e *Evaluator) mask(start, count int) {
	k, width := e.masks, 0
	for _, i := range k.at {
		width += e.buffers[i].Width
		e.maskRoom(i, count)
	}
	if !k.train {
		return
	}
	if len(k.room) < width {
		k.room = make([]float64, width)
	}
	for r := range count {
		row := k.room[:width]
		k.stream.Uniforms(k.step*e.m.visits()+uint64(start+r), row)
		for _, i := range k.at {
			n := e.buffers[i].Width
			if e.m.Spec.Single {
				kernel.Narrow(e.frame.Dense32[i][r*n:(r+1)*n], row[:n])
			} else {
				copy(e.frame.Dense[i][r*n:(r+1)*n], row[:n])
			}
			row = row[n:]
		}
	}
}

// maskRoom allocates the mask at index i for count rows and fills new memory with noDrop.
func (e *Evaluator) maskRoom(i, count int) {
	n := count * e.buffers[i].Width
	switch {
	case e.m.Spec.Single && len(e.frame.Dense32[i]) < n:
		e.frame.Dense32[i] = slices.Repeat([]float32{noDrop}, n)
	case !e.m.Spec.Single && len(e.frame.Dense[i]) < n:
		e.frame.Dense[i] = slices.Repeat([]float64{noDrop}, n)
	}
}
