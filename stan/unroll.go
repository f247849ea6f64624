package stan

import (
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/stan/syntax"
	"github.com/sgppl/sgppl/stan/translate"
)

// mostRounds bounds how often a program is translated with more of its loops written turn by turn,
// before all of them are.
const mostRounds = 12

// boundModel is the model of a Stan program for data, one that accepts takes. It keeps loops where
// it can. Where the model is refused, the innermost loop around the refused place is written turn
// by turn, then the next one around it. At last all loops of the program are. Where there is no
// model, the list says why no attempt gave a text; it is nil where one did.
func boundModel(
	src *source.File, given map[string]*translate.Given, draw func() translate.Drawer,
	accepts Accepter,
) (*source.File, diag.List) {
	prog, _ := syntax.Parse(src)
	loops := loopsOf(prog)
	var refused diag.List
	some := false
	try := func(u translate.Unrolled) (*source.File, diag.List, diag.List) {
		var drawer translate.Drawer
		if draw != nil {
			drawer = draw()
		}
		r, diags := ImportBound(src, given, u, drawer)
		if r == nil {
			refused = diags
			return nil, diags, diags
		}
		some = true
		model := modelOf(src, r)
		return model, diags, accepts(model)
	}
	turned := map[int]bool{}
	for range mostRounds {
		model, diags, errs := try(translate.Unrolled{Loops: turned})
		if model != nil && !errs.Errors() {
			return model, diags
		}
		if !turnMore(loops, errs, turned) {
			break
		}
	}
	if model, diags, errs := try(translate.Unrolled{All: true}); model != nil && !errs.Errors() {
		return model, diags
	}
	if some {
		refused = nil
	}
	return nil, refused
}

// loopsOf are the places of the loops of a program, each before those inside it.
func loopsOf(prog *syntax.Program) (out []source.Span) {
	note := func(s syntax.Stmt) {
		if _, is := s.(*syntax.For); is {
			out = append(out, s.Pos())
		}
	}
	for _, f := range prog.Functions {
		syntax.Walk(f.Body, note)
	}
	for _, list := range [][]syntax.Stmt{
		prog.TransData, prog.TransParams, prog.Model, prog.Generated,
	} {
		syntax.Walk(list, note)
	}
	return out
}

// turnMore adds the innermost loop around each refused place that is not yet written turn by turn,
// and reports whether there was one.
func turnMore(loops []source.Span, errs diag.List, turned map[int]bool) bool {
	var more []int
	for _, d := range errs {
		if d.Severity != diag.Error {
			continue
		}
		at := d.Span
		if d.File != nil && d.File.Origin != nil {
			at, _ = d.File.Trace(at)
		}
		inner := -1
		for _, l := range loops { // those inside come behind those around
			if l.Start <= at.Start && at.Start < l.End && !turned[l.Start] {
				inner = l.Start
			}
		}
		if inner >= 0 {
			more = append(more, inner)
		}
	}
	for _, k := range more {
		turned[k] = true
	}
	return len(more) > 0
}
