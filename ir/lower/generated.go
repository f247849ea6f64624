package lower

import (
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// A Generated is a `generate` line: values computed from the unknowns, the data, earlier generated
// values and random numbers.
type Generated struct {
	Outputs []ir.Output // one for each name of the line
	Docs    []string
	Hidden  bool // later lines read it, and it is not stored
}

// generate lowers a `generate` line. Later lines read its values as data.
func (l *Model) generate(s *ast.Let) {
	l.draw = []*ir.Axis{} // not nil: generators may be called
	t := l.expr(s.Value)
	l.draw = nil
	out := Generated{Hidden: s.Hidden}
	for i := range s.Names {
		sym, part := l.Checked.Uses[&s.Names[i]], t
		if s.Tuple {
			part = t.parts[i]
		}
		for _, p := range sym.Type.Shape {
			if l.isRagged(p) {
				l.Fail(limits.RaggedNotLowered, s.Names[i].Span,
					"%s has rows of their own lengths, which cannot be generated yet", sym.Name)
			}
		}
		out.Outputs = append(out.Outputs, ir.Output{Name: sym.Name, Value: part.v, Axes: part.axes})
		out.Docs = append(out.Docs, sym.Doc)
		leaf := l.B.Leaf(ir.OpData, model.DrawnPrefix+sym.Name, part.axes...)
		l.frame.values[sym] = tensor{v: leaf, axes: part.axes}
	}
	l.Generated = append(l.Generated, out)
}
