package formula

import (
	"slices"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
)

// A Predictor is a sum of a model in which inputs are multiplied by unknowns.
type Predictor struct {
	Inputs    []string // each once, in the order of the sum
	Intercept bool     // the sum has a term without inputs
}

// Predictors finds the sums b * x[n] + c * z[n] + … of a model, and products x[n] @ b, in which
// an input is multiplied by what depends on unknowns. Inputs may be shifted and scaled.
func Predictors(m *check.Model) []Predictor {
	p := &predictors{m: m}
	ast.InspectFile(m.File, func(n ast.Node) bool {
		e, is := n.(ast.Expr)
		if !is {
			return true
		}
		_, sum := bare(e).(*ast.Binary)
		_, reduction := bare(e).(*ast.Call)
		if sum || reduction {
			return !p.sum(bare(e))
		}
		return true
	})
	return p.found
}

type predictors struct {
	m     *check.Model
	found []Predictor
}

// bare is an expression without parentheses.
func bare(e ast.Expr) ast.Expr {
	for {
		p, is := e.(*ast.Paren)
		if !is {
			return e
		}
		e = p.X
	}
}

// sum adds a predictor where an expression is one.
func (p *predictors) sum(e ast.Expr) bool {
	var one Predictor
	for _, term := range summands(e) {
		name := p.product(term)
		switch {
		case name == "" && !p.reads(term, check.Data):
			one.Intercept = true
		case name != "" && !slices.Contains(one.Inputs, name):
			one.Inputs = append(one.Inputs, name)
		}
	}
	if len(one.Inputs) == 0 {
		return false
	}
	p.found = append(p.found, one)
	return true
}

// summands are the terms of a sum.
func summands(e ast.Expr) []ast.Expr {
	if b, is := bare(e).(*ast.Binary); is && (b.Op == "+" || b.Op == "-") {
		return append(summands(b.X), summands(b.Y)...)
	}
	return []ast.Expr{bare(e)}
}

// product is the input that a term multiplies by what depends on unknowns; "" where it is
// another term.
func (p *predictors) product(e ast.Expr) string {
	if c, is := e.(*ast.Call); is { // sum(x[n, p] * b[p] for p in P)
		fun, named := c.Fun.(*ast.Name)
		if !named || fun.Name != "sum" || len(c.Args) != 1 {
			return ""
		}
		all, is := c.Args[0].Value.(*ast.Comp)
		if !is {
			return ""
		}
		e = bare(all.Elem)
	}
	b, is := e.(*ast.Binary)
	if !is || b.Op != "*" && b.Op != "@" {
		return ""
	}
	for _, side := range [][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
		if name := p.input(side[0]); name != "" && p.reads(side[1], check.Param) {
			return name
		}
	}
	return ""
}

// input is the input whose rows an expression shifts and scales at most.
func (p *predictors) input(e ast.Expr) string {
	switch e := bare(e).(type) {
	case *ast.Name:
		return p.data(e)
	case *ast.Index:
		if name, is := e.X.(*ast.Name); is {
			return p.data(name)
		}
	case *ast.Binary:
		if e.Op != "+" && e.Op != "-" && e.Op != "/" || p.reads(e.Y, check.Param) {
			return ""
		}
		rows := false // an entry of a row of data
		ast.Inspect(e.Y, func(n ast.Node) bool {
			_, index := n.(*ast.Index)
			rows = rows || index
			return true
		})
		if !rows {
			return p.input(e.X)
		}
	}
	return ""
}

// data is the name of an input of real numbers; "" of another name.
func (p *predictors) data(n *ast.Name) string {
	if s := p.m.Uses[n]; s != nil && s.Kind == check.Data {
		return s.Name
	}
	return ""
}

// reads reports whether an expression has a name of a kind, or a let that may have.
func (p *predictors) reads(e ast.Expr, kind check.Kind) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if name, is := n.(*ast.Name); is {
			if s := p.m.Uses[name]; s != nil && (s.Kind == kind || s.Kind == check.Let) {
				found = true
			}
		}
		return !found
	})
	return found
}
