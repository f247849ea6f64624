package driver

import (
	"fmt"

	"github.com/sgppl/sgppl/ir/posterior"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// draw makes one array and its labels, drawing again the entries that are not accepted.
func (s *simulator) draw(i int) error {
	d := &s.sim.Draws[i]
	if v := s.bound.Values[d.Name]; v != nil {
		s.out.Notes = append(s.out.Notes, d.Name+" is given, and was not drawn")
		return nil
	}
	x := &sample{of: d, n: 1, members: 1, shape: make([]int, len(d.Shape))}
	for k, p := range d.Shape {
		size, ok := p.Eval(s.bound.Dims)
		if !ok {
			return fmt.Errorf("%s needs the size %s: give it with --set", d.Name, p)
		}
		x.shape[k], x.n = size, x.n*size
		if k < d.Family {
			x.members *= size
		}
	}
	length := x.layout()
	frame := &model.Frame{Out: make([]float64, length)}
	for k := range s.sim.Spec.Data {
		dense, rows, err := s.read(&s.sim.Spec.Data[k], d)
		if err != nil {
			return err
		}
		frame.Dense, frame.Sparse = append(frame.Dense, dense), append(frame.Sparse, rows)
	}
	if err := s.fill(x, frame, uint64(i)<<20); err != nil {
		return err
	}
	if x.labels != nil {
		v := data.Dense(x.labels, x.shape[:d.Family]...)
		s.out.Components = append(s.out.Components, Named{d.Name + ".component", true, v, nil})
	}
	if s.keep != nil {
		s.keep(d.Name, x.out)
	}
	v := data.Dense(x.out, x.shape...)
	v.Canonical = true
	s.bound.Values[d.Name] = v
	if d.Local {
		s.out.Components = append(s.out.Components, Named{d.Name, d.Type.Kind.Discrete(), v, nil})
	}
	return nil
}

// A sample is the array of a draw while it is filled.
type sample struct {
	of         *posterior.Draw
	shape      []int
	n, members int // entries, and members of the family
	// Where a draw says which entries are kept and which components they are from;
	// -1: all are, and there are none.
	accept, component int
	out, labels       []float64
	kept              []bool
}

// layout places the outputs of a draw as package vm does, and returns how many
// numbers they have.
func (x *sample) layout() (length int) {
	length, x.accept, x.component = x.n, -1, -1
	for _, o := range x.of.Func.Outputs[1:] {
		if o.Name == "accept" {
			x.accept, length = length, length+x.n
		} else {
			x.component, length = length, length+x.members
		}
	}
	if x.accept >= 0 {
		x.kept = make([]bool, x.n)
	}
	if x.component >= 0 {
		x.labels = make([]float64, x.members)
	}
	return length
}

// fill draws until every entry is in its type.
func (s *simulator) fill(x *sample, frame *model.Frame, step uint64) error {
	stream := rng.New(s.seed, 0, rng.Simulate)
	var src rng.Source
	s.code.Source = &src
	f := s.code.Func(x.of.Func.ID.String(), s.bound.Dims, 0)
	left := x.n
	x.out = []float64{}
	for round := 0; left > 0; round++ {
		if round == rounds {
			return fmt.Errorf("%d of %d entries of %s left their type in every one of %d draws: "+
				"the prior hardly reaches it",
				left, x.n, x.of.Name, rounds)
		}
		src = stream.At(step + uint64(round))
		f.Prepare(frame)
		f.Finish(frame)
		left -= x.take(frame.Out)
	}
	return nil
}

// take keeps the entries of a round that are in their type, and returns how many are new.
func (x *sample) take(drawn []float64) (taken int) {
	if x.accept < 0 { // all are
		x.out = drawn[:x.n:x.n]
		if x.labels != nil {
			copy(x.labels, drawn[x.component:])
		}
		return x.n
	}
	if len(x.out) < x.n {
		x.out = make([]float64, x.n)
	}
	for k := range x.out {
		if x.kept[k] || drawn[x.accept+k] == 0 {
			continue
		}
		x.out[k], x.kept[k] = drawn[k], true
		taken++
		if x.labels != nil {
			m := k / (x.n / x.members)
			x.labels[m] = drawn[x.component+m]
		}
	}
	return taken
}
