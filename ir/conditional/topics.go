package conditional

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/target"
)

// A use is what reads a table of simplexes: the entry that a discrete unknown and data select.
type use struct {
	of       *Unknown
	entry    []*ir.Value // by axis of the table
	along    int         // the axis that the discrete unknown is the index of
	count    *ir.Value   // how often the entry of the discrete unknown counts: 0 or 1
	prior    *ir.Value   // the coefficients of the logarithms in the prior
	readAxes []*ir.Axis  // those of the discrete unknown, as the use has them
}

// Topics finds the topic model that a log density is: one discrete unknown z, and two tables of
// simplexes with Dirichlet priors of data alone, log θ[…, z] + log φ[z, w] for every entry of z,
// and nothing else that is unknown. The tables can then be integrated out (Griffiths and Steyvers
// 2004): the results say what a sweep over z reads, and stand for z, θ and φ. There are none for
// other models.
func Topics(
	b *ir.Builder, density *ir.Value, unknowns []*Unknown,
) (list []*Conditional) {
	var z *Unknown
	var tables []*Unknown
	for _, u := range unknowns {
		switch {
		case u.Kind == types.Simplex && len(u.Own) == 1:
			tables = append(tables, u)
		case u.Kind == types.Index && z == nil:
			z = u
		default:
			return nil
		}
	}
	if z == nil || len(tables) != 2 {
		return nil
	}
	uses := make([]*use, 2)
	names := map[string]bool{}
	for i, t := range tables {
		var rest *ir.Value
		if uses[i], rest = useOf(b, density, t, z, names); uses[i] == nil {
			return nil
		}
		density = rest
	}
	for _, v := range ir.Reach(density) {
		if v.Op == ir.OpState && !names[v.Name] {
			return nil // something else is unknown, or reads z
		}
	}
	if uses[0].along == 0 && len(uses[0].entry) == 2 && uses[1].along == len(uses[1].entry)-1 {
		uses[0], uses[1] = uses[1], uses[0]
	}
	theta, phi := uses[0], uses[1]
	if theta.along != len(theta.entry)-1 || len(phi.entry) != 2 || phi.along != 0 ||
		!theta.prior.Is(0) && theta.prior.State() || phi.prior.State() {
		return nil
	}
	row := b.Num(0) // of θ, which a document is
	for i, e := range theta.entry[:theta.along] {
		row = b.Add(b.Mul(row, b.AxisSize(theta.of.axes()[i])), e)
	}
	on := func(u *use, v *ir.Value) ir.Output {
		return ir.Output{Value: b.OnAxes(v, u.readAxes, z.axes()), Axes: z.axes()}
	}
	outputs := []ir.Output{on(theta, row), on(phi, phi.entry[1]),
		on(theta, b.Mul(theta.count, phi.on(b, theta))),
		{Value: theta.prior, Axes: theta.of.axes()}, {Value: phi.prior, Axes: phi.of.axes()}}
	for i, name := range []string{"document", "word", "counts", "row prior", "column prior"} {
		outputs[i].Name = z.Said + " " + name
	}
	return []*Conditional{
		{Of: z, Law: target.TopicsLaw, Joint: z.axes(), Outputs: outputs},
		{Of: theta.of, Law: target.TopicsRowLaw, Joint: theta.of.Own},
		{Of: phi.of, Law: target.TopicsColumnLaw, Joint: phi.of.Own}}
}

// on is how often the entries of a use count, along the axes of another.
func (u *use) on(b *ir.Builder, other *use) *ir.Value {
	return b.OnAxes(u.count, u.readAxes, other.readAxes)
}

// useOf takes the logarithms of a table out of a log density: it returns the use of the table, and
// the density with leaves in the place of these logarithms, whose names it notes.
func useOf(
	b *ir.Builder, density *ir.Value, t, z *Unknown, names map[string]bool,
) (*use, *ir.Value) {
	r := newReader(b, density, t)
	if !r.reads[density] {
		return nil, nil
	}
	x := &expansion{reader: r, known: map[*ir.Value]form{}, direct: true}
	for _, v := range ir.Reach(density) {
		if r.reads[v] {
			x.known[v] = x.of(v)
		}
	}
	whole := x.written(x.known[density])
	if len(x.used) != 1 || !x.has(logStatistic) || len(x.ats) != 2 {
		return nil, nil
	}
	out := &use{of: t, along: -1}
	for i, at := range x.ats {
		leaf := x.useName(i)
		names[leaf] = true
		if t.is(at) {
			out.prior = r.gradient(whole, leaf, at.Axes)
			out.prior = b.OnAxes(out.prior, at.Axes, t.axes())
			continue
		}
		if out.entry != nil {
			return nil, nil
		}
		out.entry = entriesOf(b, t, at)
		for k, e := range out.entry {
			if e.Op == ir.OpSelect && !e.Args[0].State() && e.Args[2].Is(0) {
				e = e.Args[1] // padding reads entry 0, and does not count
			}
			if z.is(e) {
				out.along, out.readAxes = k, e.Axes
			}
		}
		if out.along < 0 || !ir.SameAxes(at.Axes, out.readAxes) {
			return nil, nil
		}
		out.count = r.gradient(whole, leaf, at.Axes)
	}
	others := slices.Delete(slices.Clone(out.entry), max(out.along, 0), max(out.along, 0)+1)
	if out.prior == nil || out.along < 0 || out.count.State() ||
		slices.ContainsFunc(others, (*ir.Value).State) {
		return nil, nil
	}
	return out, whole
}

// entriesOf are the indices, by axis of an unknown, of the entries that a selection reads.
func entriesOf(b *ir.Builder, u *Unknown, at *ir.Value) []*ir.Value {
	if u.is(at) {
		out := make([]*ir.Value, len(at.Axes))
		for i, a := range at.Axes {
			out[i] = b.Iota(a)
		}
		return out
	}
	out := entriesOf(b, u, at.Args[0])
	for i, e := range out {
		if at.Op != ir.OpLayout && slices.ContainsFunc(at.Over, e.Has) {
			out[i] = b.Like(at, append([]*ir.Value{e}, at.Args[1:]...))
		}
	}
	return out
}
