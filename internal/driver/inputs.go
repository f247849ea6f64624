package driver

import (
	"slices"
	"strings"

	"github.com/sgppl/sgppl/ir/posterior"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

// Inputs is a Simulator for a model that cannot be simulated: a Draw draws every
// input that is not given by its type alone, and no params.
func (c *Compiled) Inputs(o SimulateOptions) (*Simulator, []*data.Error) {
	spec := *c.Spec
	spec.Params = nil
	s := &Simulator{sim: &posterior.Simulation{Spec: &spec}, o: o, programs: c.Table()}
	s.o.Sets = withoutConsts(c.Check, o.Sets)
	if errs := s.bind(); errs != nil {
		return nil, errs
	}
	return s, nil
}

// withoutConsts leaves out what --set says of consts, which are compiled in.
func withoutConsts(m *check.Model, sets []string) []string {
	consts := map[string]bool{}
	for _, sym := range m.Symbols {
		consts[sym.Name] = sym.Kind == check.Const
	}
	return slices.DeleteFunc(slices.Clone(sets), func(set string) bool {
		name, _, _ := strings.Cut(set, "=")
		return consts[strings.TrimSpace(name)]
	})
}

// DefaultSize gives sizes to dims that nothing else settles: rows to what a plate
// may have many of, few to all others.
func DefaultSize(m *check.Model) func(dim string) int {
	rows := map[string]bool{}
	for _, a := range m.Batchable {
		rows[a.Name] = true
	}
	observed := map[string]bool{}
	for _, s := range m.File.Stmts {
		observe(s, observed)
	}
	for _, s := range m.Symbols {
		if s.Kind == check.Data && observed[s.Name] && len(s.Type.Shape) > 0 {
			for _, d := range s.Type.Shape[0].Dims() {
				rows[d] = true
			}
		}
	}
	return func(dim string) int {
		if rows[dim] {
			return manyRows
		}
		return few
	}
}

const manyRows, few = 20, 3

// observe notes the names left of ~, in plates too.
func observe(st ast.Stmt, into map[string]bool) {
	switch st := st.(type) {
	case *ast.Tilde:
		left := st.Left
		for {
			switch e := left.(type) {
			case *ast.Index:
				left = e.X
				continue
			case *ast.Paren:
				left = e.X
				continue
			case *ast.Name:
				into[e.Name] = true
			}
			break
		}
	case *ast.For:
		for _, x := range st.Body {
			observe(x, into)
		}
	}
}
