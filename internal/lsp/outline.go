package lsp

import (
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/source"
)

// Kinds of symbols, as the protocol numbers them.
const (
	outlineClass    = 5
	outlineProperty = 7
	outlineField    = 8
	outlineFunction = 12
	outlineVariable = 13
	outlineConstant = 14
	outlineLoop     = 19
)

// outline lists the declarations of a file, those in plates and definitions below them.
func (a *analysis) outline() []documentSymbol { return a.outlineOf(a.model.File.Stmts) }

func (a *analysis) outlineOf(stmts []ast.Stmt) []documentSymbol {
	out := []documentSymbol{}
	add := func(id ast.Ident, kind int, whole source.Span, detail string, inner []ast.Stmt) {
		if id.Name == "" {
			return
		}
		if !inline(detail) {
			detail = ""
		}
		s := documentSymbol{Name: id.Name, Detail: detail, Kind: kind,
			Range: a.lines.span(whole.To(id.Span)), Selection: a.lines.span(id.Span)}
		s.Children = a.outlineOf(inner)
		out = append(out, s)
	}
	groups := func(list []ast.Group, kind int) {
		for _, g := range list {
			detail := ""
			if g.Type != nil {
				detail = a.textOf(g.Type.Span)
			}
			for _, v := range g.Vars {
				add(v.Name, kind, v.Span, detail, nil)
			}
		}
	}
	for _, s := range stmts {
		switch s := s.(type) {
		case *ast.Dim:
			for _, it := range s.Items {
				add(it.Name, outlineConstant, it.Span, "dim", nil)
			}
		case *ast.Const:
			for _, it := range s.Items {
				add(it.Name, outlineConstant, it.Span, "const", nil)
			}
		case *ast.Data:
			groups(s.Groups, outlineProperty)
		case *ast.ParamDecl:
			groups(s.Groups, outlineField)
		case *ast.Local:
			groups(s.Groups, outlineField)
		case *ast.Let:
			for i := range s.Names {
				detail := ""
				if sym := a.model.Uses[&s.Names[i]]; sym != nil {
					detail = typeText(sym.Type)
				}
				add(s.Names[i], outlineVariable, s.Span, detail, nil)
			}
		case *ast.Fn:
			add(s.Name, outlineFunction, s.Span, "", nil)
		case *ast.LayerDef:
			add(s.Name, outlineClass, s.Span, "", s.Decls)
		case *ast.LayerUse:
			for _, it := range s.Items {
				add(it.Name, outlineFunction, it.Span, a.textOf(it.Def.Span), nil)
			}
		case *ast.Dist:
			add(s.Name, outlineClass, s.Span, "", nil)
		case *ast.For:
			if len(s.Binds) > 0 {
				head := ast.Ident{Span: s.Binds[0].Span.To(s.Binds[len(s.Binds)-1].Span)}
				head.Name = "for " + a.textOf(head.Span)
				if !inline(head.Name) {
					head.Name = "for"
				}
				add(head, outlineLoop, s.Span, "", s.Body)
			}
		}
	}
	return out
}
