package driver

import (
	"github.com/sgppl/sgppl/ir/posterior"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// Generate compiles the `generate` lines of a model. With errors among the diagnostics the
// Posterior is nil.
func Generate(src *source.File, o Options) (*Posterior, diag.List) {
	return afterRun(src, src, o, posterior.Generate)
}

// A Generator computes the values of `generate` lines at given states. One goroutine uses it at a
// time. What it draws depends on the model, the data, the state and the stream's step alone.
type Generator struct {
	Sites []Predicted // what is stored

	len    int
	from   []int // where the values of the sites begin among those of all lines
	frame  *model.Frame
	source rng.Source
	lines  []model.Func
	values []float64 // of all lines; later lines read those of earlier ones
}

// Generator makes a Generator for a model bound to data.
func (p *Posterior) Generator(m *model.Model) *Generator {
	g := &Generator{frame: m.Frame()}
	code := p.code()
	code.Source = &g.source
	var all []Predicted
	n := 0
	for _, q := range p.generated {
		s := Predicted{Name: q.Name, Shape: size.Shape(q.Shape, m.Dims), Latent: true, Offset: n}
		for _, d := range q.Shape {
			dim, _ := d.Name()
			s.Dims = append(s.Dims, dim)
		}
		s.Len = array.Len(s.Shape)
		all = append(all, s)
		if n += s.Len; !q.Hidden {
			g.from = append(g.from, s.Offset)
			s.Offset = g.len
			g.len += s.Len
			g.Sites = append(g.Sites, s)
		}
		if q.Line == len(g.lines) {
			g.lines = append(g.lines, code.Func(fn.Generate.At(q.Line).String(), m.Dims, 0))
		}
	}
	g.values = make([]float64, n)
	for i, s := range all {
		for k, read := range p.Spec.Data {
			if read.Name == p.Spec.Latent[i].Name {
				g.frame.Dense[k] = g.values[s.Offset : s.Offset+s.Len]
			}
		}
	}
	return g
}

// Len is the number of entries of a draw.
func (g *Generator) Len() int { return g.len }

// Draw writes the values of all lines at a state. Each line has its own part of the stream: a line
// that is added behind the others does not change them.
func (g *Generator) Draw(x []float64, stream rng.Stream, step uint64, out []float64) {
	for i, f := range g.lines {
		g.source = stream.At(step<<16 | uint64(i))
		call(f, g.frame, x, g.values)
	}
	for i, s := range g.Sites {
		copy(out[s.Offset:s.Offset+s.Len], g.values[g.from[i]:])
	}
}
