package driver

import (
	"fmt"
	"math"
	"slices"

	"github.com/sgppl/sgppl/ir/posterior"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A Predicted describes the predicted values of one observed input: name, shape, kind, and
// where they lie among all that are predicted.
type Predicted struct {
	Name  string
	Dims  []string // of the axes, as far as they are dims
	Shape []int
	Kind  data.Kind
	From  int // what the data count classes from
	// Classes is the number of outcomes of an index; 0 for other kinds.
	Classes int
	Offset  int // of the entries in a draw
	Len     int
	// Expected and Chances say that expected values, and probabilities of the
	// classes, of all entries are known at a state.
	Expected, Chances bool
	// Latent says that this is a latent value of rows, and no observed name.
	Latent bool
	// ClassDim is the dim that counts the outcomes of an index, as far as it is known.
	ClassDim string
	// Missing says that no statement observes some of the entries.
	Missing bool
}

// A Predictor draws the observed names at given states. One goroutine uses it
// at a time; what it draws depends on the model, the data, the state and the
// stream's step alone.
type Predictor struct {
	Sites []Predicted

	len    int
	frame  *model.Frame
	source rng.Source
	parts  []part
	latent []drawnValue
}

// A part is one statement y ~ ….
type part struct {
	draw    posterior.Draw
	f       model.Func
	expect  model.Func // nil without
	chances model.Func // likewise
	n       int
	accept  int   // where it says what of the draw is kept; -1: all
	at      []int // place of every entry in the draw of all sites, or nowhere
	out     []float64
	pending []int // entries to be drawn again
	logs    []float64
}

// none is the name of a function that there is not.
var none fn.ID

// nowhere is the place of an entry that pads a row.
const nowhere = -1

// A drawnValue is a value of the rows' own that is drawn before what reads it.
type drawnValue struct {
	name    string
	f       model.Func // nil: it is given
	out     []float64  // the draw, of which the frame has the part that is the value
	value   []float64
	accept  int // as of a part
	pending []int
}

// Predictor makes a generator for a model bound to data. What pads rows of
// their own lengths is not drawn.
func (p *Posterior) Predictor(m *model.Model, bound *data.Bound) (*Predictor, error) {
	if err := p.canRedraw(bound); err != nil {
		return nil, err
	}
	g := &Predictor{frame: m.Frame()}
	code := p.code()
	code.Source = &g.source
	for _, d := range p.Draws {
		g.site(p, d.Name, m.Dims)
	}
	for k, d := range p.Spec.Latent {
		draw := &p.latents[k]
		z := drawnValue{name: draw.Name, value: make([]float64, d.Len(m.Dims)), accept: -1}
		if draw.Func != nil {
			z.f = code.Func(d.Name, m.Dims, 0)
			var length int
			z.accept, length = extra(draw, m.Dims)
			z.out = make([]float64, length)
		}
		for i, read := range p.Spec.Data {
			if read.Name == d.Name {
				g.frame.Dense[i] = z.value
			}
		}
		g.latent = append(g.latent, z)
	}
	taken := make([]bool, g.len)
	for _, d := range p.Draws {
		site := g.site(p, d.Name, m.Dims)
		x := part{draw: d, f: code.Func(d.Func.ID.String(), m.Dims, 0),
			n: array.Len(size.Shape(d.Shape, m.Dims)), accept: -1}
		if site.Expected = site.Expected && d.Expect != none; d.Expect != none {
			x.expect = code.Func(d.Expect.String(), m.Dims, 0)
		}
		if site.Chances = site.Chances && d.Chances != none; d.Chances != none {
			x.chances = code.Func(d.Chances.String(), m.Dims, 0)
		}
		var length int
		x.accept, length = extra(&d, m.Dims)
		x.out, x.at = make([]float64, length), make([]int, x.n)
		there := bound.There(&p.Spec.Schema, p.Spec.Schema.Input(d.Name))
		place := make([]float64, x.n)
		if d.Place != none {
			call(code.Func(d.Place.String(), m.Dims, 0), g.frame, nil, place)
		}
		for i := range x.at {
			x.at[i] = site.Offset + i
			if d.Place != none {
				x.at[i] = site.Offset + int(place[i])
			}
			if there != nil && !there[x.at[i]-site.Offset] {
				x.at[i] = nowhere
				continue
			}
			if taken[x.at[i]] {
				return nil, fmt.Errorf("entry %d of %s is observed twice, so it has no one law "+
					"to be drawn from", x.at[i]-site.Offset, d.Name)
			}
			taken[x.at[i]] = true
		}
		g.parts = append(g.parts, x)
	}
	for i := range g.Sites {
		s := &g.Sites[i]
		s.Missing = slices.Contains(taken[s.Offset:s.Offset+s.Len], false)
	}
	return g, nil
}

// extra is where a draw says what of it is kept, -1 for all of it, and how many
// numbers it has in all.
func extra(d *posterior.Draw, dims map[string]int) (accept, length int) {
	n := array.Len(size.Shape(d.Shape, dims))
	accept, length = -1, n
	for _, o := range d.Func.Outputs[1:] {
		switch o.Name {
		case "accept":
			accept = length
			length += n
		case "component":
			length += array.Len(size.Shape(d.Shape[:d.Family], dims))
		}
	}
	return accept, length
}

// Give sets a latent value of the rows for the draws that follow; it reports
// whether anything that is predicted reads it.
func (g *Predictor) Give(name string, x []float64) bool {
	for k := range g.latent {
		if z := &g.latent[k]; z.name == name && z.f == nil {
			copy(z.value, x)
			return true
		}
	}
	return false
}

// site finds an observed name, or takes it in.
func (g *Predictor) site(p *Posterior, name string, dims map[string]int) *Predicted {
	for i := range g.Sites {
		if g.Sites[i].Name == name {
			return &g.Sites[i]
		}
	}
	in := p.Spec.Schema.Input(name)
	s := Predicted{Expected: true, Chances: in.Kind == data.Index, Name: name, Kind: in.Kind,
		From: in.First(), Offset: g.len, Shape: size.Shape(in.Shape, dims)}
	for _, n := range in.Shape {
		dim, _ := n.Name()
		s.Dims = append(s.Dims, dim)
	}
	if in.Kind == data.Index {
		s.Classes, _ = in.Below.Eval(dims)
	}
	s.Len = array.Len(s.Shape)
	g.len += s.Len
	g.Sites = append(g.Sites, s)
	return &g.Sites[len(g.Sites)-1]
}

// Len is the number of entries of a draw.
func (g *Predictor) Len() int { return g.len }

// Draw writes one draw of all sites at a state: indices as the data count
// them; NaN where no statement observes. Entries outside a truncation
// are drawn again.
func (g *Predictor) Draw(x []float64, stream rng.Stream, step uint64, out []float64) error {
	for i := range out {
		out[i] = math.NaN()
	}
	for k := range g.latent {
		if err := g.latent[k].sample(g, x, stream, step<<24|1<<23|uint64(k)); err != nil {
			return err
		}
	}
	for k := range g.parts {
		if err := g.parts[k].sample(g, x, stream, step<<24|uint64(k)<<16, out); err != nil {
			return err
		}
	}
	for _, s := range g.Sites {
		if s.From != 0 {
			for i := range s.Len {
				out[s.Offset+i] += float64(s.From)
			}
		}
	}
	return nil
}

// sample draws a latent value of the rows, what leaves its type or truncation again.
func (z *drawnValue) sample(g *Predictor, x []float64, stream rng.Stream, step uint64) error {
	if z.f == nil {
		return nil
	}
	z.pending = z.pending[:0]
	for i := range z.value {
		z.pending = append(z.pending, i)
	}
	for round := range uint64(latentRounds) {
		g.source = stream.At(step + round<<12)
		call(z.f, g.frame, x, z.out)
		left := z.pending[:0]
		for _, i := range z.pending {
			if z.accept < 0 || z.out[z.accept+i] != 0 {
				z.value[i] = z.out[i]
			} else {
				left = append(left, i)
			}
		}
		if z.pending = left; len(left) == 0 {
			return nil
		}
	}
	return fmt.Errorf("%d of %d entries of %s left their type in every one of %d draws",
		len(z.pending), len(z.value), z.name, latentRounds)
}

// latentRounds is how often latent values are drawn again.
const latentRounds = 1 << 11

func (p *part) sample(
	g *Predictor, x []float64, stream rng.Stream, step uint64, out []float64,
) error {
	p.pending = p.pending[:0]
	for i, at := range p.at {
		if at != nowhere {
			p.pending = append(p.pending, i)
		}
	}
	for round := range uint64(rounds) {
		g.source = stream.At(step + round)
		call(p.f, g.frame, x, p.out)
		left := p.pending[:0]
		for _, i := range p.pending {
			if p.accept < 0 || p.out[p.accept+i] != 0 {
				out[p.at[i]] = p.out[i]
			} else {
				left = append(left, i)
			}
		}
		if p.pending = left; len(left) == 0 {
			return nil
		}
	}
	return fmt.Errorf("%d of %d entries of %s left their truncation in every one of %d draws",
		len(p.pending), p.n, p.draw.Name, rounds)
}

// Expect writes the expected value of every entry at a state, NaN where it is
// not known.
func (g *Predictor) Expect(x, out []float64) {
	for i := range out {
		out[i] = math.NaN()
	}
	for k := range g.parts {
		p := &g.parts[k]
		if p.expect == nil {
			continue
		}
		call(p.expect, g.frame, x, p.out[:p.n])
		for i, at := range p.at {
			if at != nowhere {
				out[at] = p.out[i]
			}
		}
	}
}

// Chances adds the probability of every class of every entry of a site at a
// state to sum, Classes numbers an entry.
func (g *Predictor) Chances(site *Predicted, x, sum []float64) {
	for k := range g.parts {
		p := &g.parts[k]
		if p.draw.Name != site.Name || p.chances == nil {
			continue
		}
		p.logs = slices.Grow(p.logs[:0], p.n*site.Classes)[:p.n*site.Classes]
		call(p.chances, g.frame, x, p.logs)
		for i, at := range p.at {
			if at == nowhere {
				continue
			}
			to := sum[(at-site.Offset)*site.Classes:]
			for c, l := range p.logs[i*site.Classes : (i+1)*site.Classes] {
				to[c] += special.Exp(l)
			}
		}
	}
}
