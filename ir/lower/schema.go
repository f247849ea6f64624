package lower

import (
	"math"
	"slices"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

// kinds maps types of the language to the kinds that the runtime checks data for.
var kinds = map[types.Kind]data.Kind{
	types.Real: data.Real, types.Positive: data.Positive, types.Nonnegative: data.Nonnegative,
	types.Unit: data.Unit, types.Interval: data.Interval,
	types.Int: data.Int, types.Count: data.Count, types.Bool: data.Bool, types.Index: data.Index,
	types.Simplex: data.Simplex, types.Sphere: data.Sphere, types.Ordered: data.Ordered,
	types.PositiveOrdered: data.PositiveOrdered, types.SumToZero: data.SumToZero,
	types.Stiefel: data.Stiefel, types.Grassmann: data.Grassmann,
	types.Hyperbolic: data.Hyperbolic,
	types.CorrChol:   data.CorrChol, types.CovChol: data.CovChol, types.Bag: data.Count,
}

// schema returns the declarations of the model's inputs.
func (l *Model) schema() data.Schema {
	var s data.Schema
	ends, open := infinite(l.Checked), openEnds(l.Checked)
	for _, sym := range l.Checked.Symbols {
		place := l.Checked.File.Source.Place(sym.Span.Start)
		switch sym.Kind {
		case check.Dim:
			d := data.Dim{Name: sym.Name, Place: place}
			if sym.Parent != nil {
				d.Of = sym.Parent.Name
			}
			if sym.HasValue {
				n := int(sym.Value)
				d.Default = &n
			}
			s.Dims = append(s.Dims, d)
		case check.Data:
			in := l.input(sym, place)
			in.Infinite = ends[sym]
			in.Open = open[sym]
			if r := l.Checked.Required[sym]; r != nil {
				in.Required, in.RequiredOf = r.Values, r.Shape
				in.RequiredAt = l.Checked.File.Source.Place(r.Stmt.Start)
			}
			s.Inputs = append(s.Inputs, in)
		}
	}
	return s
}

func (l *Model) input(sym *check.Symbol, place string) data.Input {
	t := sym.Type
	in := data.Input{Name: sym.Name, Doc: sym.Doc, Kind: kinds[t.Kind], Below: t.Below,
		From: t.From, Listed: t.Listed, Own: t.Own,
		Shape: t.Shape, Sparse: t.Sparse ||
			t.Kind == types.Bag, Bag: t.Kind == types.Bag, Optional: t.Optional,
		Unknown: t.Optional && sym.Missing && !l.o.Redrawn,
		Drawn:   t.Optional && sym.Missing && l.o.Redrawn, Place: place}
	if g := sym.Group; g != nil {
		in.Default = g.Default != nil
		if t.Kind == types.Interval && len(g.Type.Ends) == 2 {
			in.Lo, in.Hi = l.dataEnd(g.Type.Ends[0]), l.dataEnd(g.Type.Ends[1])
			// A computed bound is left open here; it is checked by a function when data are bound.
			if math.IsNaN(in.Lo.Value) {
				in.Lo.Value = math.Inf(-1)
			}
			if math.IsNaN(in.Hi.Value) {
				in.Hi.Value = math.Inf(1)
			}
		}
	}
	return in
}

// dataEnd returns a bound of a datum's interval: a number or a scalar input; NaN if it is computed.
func (l *Model) dataEnd(e ast.Expr) data.End {
	switch e := e.(type) {
	case *ast.Paren:
		return l.dataEnd(e.X)
	case *ast.Number:
		return data.End{Value: e.Value}
	case *ast.Inf:
		return data.End{Value: math.Inf(1)}
	case *ast.Unary:
		if x := l.dataEnd(e.X); x.Name == "" && e.Op == "-" {
			return data.End{Value: -x.Value}
		}
	case *ast.Name:
		if s := l.Checked.Uses[e]; s != nil {
			switch {
			case s.Kind == check.Data && len(s.Type.Shape) == 0:
				return data.End{Name: s.Name}
			case s.Kind == check.Const && s.HasValue:
				return data.End{Value: s.Value}
			}
		}
	}
	return data.End{Value: math.NaN()}
}

// DataKind returns the kind of data for a type.
func DataKind(k types.Kind) data.Kind { return kinds[k] }

// infinite returns the data whose entries may be infinite: those used in bounds of intervals,
// truncation and censoring, in comparisons, in min and max, or in a user's function, which might do
// any of these. Observed data may not be infinite: their density would be 0 or NaN.
func infinite(m *check.Model) map[*check.Symbol]bool {
	out, seen := map[*check.Symbol]bool{}, map[*check.Symbol]bool{}
	var mark func(e ast.Expr)
	mark = func(e ast.Expr) {
		if e == nil {
			return
		}
		ast.Inspect(e, func(n ast.Node) bool {
			_, name := n.(*ast.Name)
			s := m.Uses[n]
			if !name || s == nil || seen[s] {
				return true
			}
			if seen[s] = true; s.Kind == check.Data {
				out[s] = true
			}
			mark(s.Expr) // of a let
			return true
		})
	}
	var observed []*check.Symbol
	ast.InspectFile(m.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeExpr:
			for _, e := range n.Ends {
				mark(e)
			}
		case *ast.Interval:
			mark(n.Lo)
			mark(n.Hi)
		case *ast.Binary:
			if slices.Contains([]string{"==", "!=", "<", "<=", ">", ">="}, n.Op) {
				mark(n.X)
				mark(n.Y)
			}
		case *ast.Call:
			if c := m.Callees[n]; c != nil &&
				(c.Fn != nil ||
					c.Builtin != nil && slices.Contains([]string{"min", "max"}, c.Builtin.Name)) {
				for _, a := range n.Args {
					mark(a.Value)
				}
			}
		case *ast.Tilde:
			ast.Inspect(n.Left, func(x ast.Node) bool {
				switch x := x.(type) {
				case *ast.Index:
					observed = append(observed, m.Uses[x.X])
					return false
				case *ast.Name:
					observed = append(observed, m.Uses[x])
				}
				return true
			})
		}
		return true
	})
	for _, s := range observed {
		delete(out, s)
	}
	return out
}
