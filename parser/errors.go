package parser

import (
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/source"
)

func endless(at int) source.Span { return source.Span{Start: at, End: at} }

func endOf(s source.Span) source.Span { return source.Span{Start: s.End, End: s.End} }

// what names a statement in a message.
func what(g *gStmt) string {
	switch {
	case g.Use != nil:
		return "`use`"
	case g.Dim != nil:
		return "`dim`"
	case g.Const != nil:
		return "`const`"
	case g.Data != nil:
		return "`data`"
	case g.Param != nil:
		return "`param`"
	case g.Local != nil:
		return "`local`"
	case g.Let != nil:
		return "`let`"
	case g.Track != nil:
		return "`track`"
	case g.Generate != nil:
		return "`generate`"
	case g.Fn != nil:
		return "`fn`"
	case g.Layer != nil:
		return "`layer`"
	case g.Dist != nil:
		return "`dist`"
	case g.Check != nil:
		return "`check`"
	case g.Require != nil:
		return "`require`"
	case g.Factor != nil:
		return "`factor`"
	case g.For != nil:
		return "`for`"
	case g.Line != nil && g.Line.Tilde != nil:
		return "`~`"
	}
	return "a value"
}

// allowed reports whether the statement may stand where it does.
func (b *builder) allowed(g *gStmt, st statement, where setting) bool {
	ok, say := true, ""
	switch {
	case g.Check != nil:
		ok, say = false, "`check` is a line of a `dist`"
	case where == inFile && g.Local != nil:
		ok, say = false, "`local` declares an unknown of one row, so it stands in a plate: for n "+
			"in N { local … }"
	case where == inPlate && (g.Let != nil || g.Local != nil || g.Factor != nil || g.For != nil ||
		g.Line != nil):
	case where == inPlate && g.Track != nil:
		ok, say = false, "`track` stands outside plates; inside one, use `let`"
	case where == inPlate && g.Generate != nil:
		ok, say = false, "`generate` stands outside plates; its entries are written as `[… for n in N]`"
	case where == inPlate:
		ok, say = false, what(g)+" stands at the top of the file, not in a plate"
	case where == inLayer && (g.Param != nil || g.Let != nil || g.Fn != nil):
	case where == inLayer:
		ok, say = false, "a `layer` holds `param`, `let` and `fn`; "+what(g)+" cannot stand in it"
	}
	if !ok {
		b.add("E0114", firstToken(st), say)
	}
	return ok
}

// groupParts refuses what does not belong to the kind of declaration.
func (b *builder) groupParts(g *ast.Group, word string) {
	name := g.Vars[0].Name.Name
	switch {
	case word == "data" && g.Prior != nil:
		b.add("E0113", g.Prior.Span,
			"`data` is given, so it has no prior; its distribution is a statement of its own").
			Note("write below the declarations it needs: " + name + " ~ " + b.text(g.Prior.Span))
	case word != "data" && g.Default != nil:
		b.add("E0113", g.Default.Pos(),
			"a `"+word+"` is unknown, so it has no value; its distribution follows `~`")
	case word == "data" && g.By != nil:
		b.add("E0113", g.By.Span, "`by` chooses how an unknown is dealt with, and `data` is known")
	case word != "param" && g.Init != nil:
		b.add("E0113", g.Init.Pos(),
			"`init` says where a chain starts, and only a `param` is what it moves")
	}
}

func (b *builder) text(s source.Span) string { return b.file.Text[s.Start:s.End] }

// observed checks what stands before ~ : a name or some of its entries.
func (b *builder) observed(e ast.Expr) {
	x := e
	if i, ok := x.(*ast.Index); ok {
		x = i.X
	}
	if _, ok := x.(*ast.Name); !ok {
		d := b.add("E0120", e.Pos(),
			"only a name or its entries, such as `y` or `y[n]`, can stand before `~`")
		if inner, ok := x.(*ast.Index); ok {
			if _, ok := inner.X.(*ast.Name); ok {
				d.Note("an entry is written with all its subscripts together: y[n, m]").
					Suggest(source.Span{Start: inner.Span.End - 1,
						End: e.(*ast.Index).Subs[0].Pos().Start}, ", ")
				return
			}
		}
		d.Note("a term of any form is added with `factor`: factor normal.logpdf(y - x, 0, 1)")
	}
}

// assignment reports x = e.
func (b *builder) assignment(g *gLine, st statement) {
	left := b.expr(g.Left)
	d := b.add("E0110", b.span(g.Left.place).To(b.span(g.Equal.place)),
		"nothing is assigned in a model; `let` names a value and `~` gives a distribution")
	switch left := left.(type) {
	case *ast.Name:
		word := "let "
		if _, number := b.expr(g.Equal).(*ast.Number); number && b.isSize(left.Name) {
			word = "dim "
			d.Note("a size is a dim; with a default it may come from the data all the same")
		}
		d.Suggest(source.Span{Start: st.start(), End: st.start()}, word)
	case *ast.Index:
		d.Note("an array is made whole: let " + b.text(left.X.Pos()) + " = [e for n in N]")
	case *ast.Call:
		d.Note("a function is written: fn f(x : real) -> real { … }; a line such as `logpdf(x) = " +
			"…` belongs in a `dist`")
	}
	if _, ok := b.expr(g.Equal).(*ast.Call); ok {
		d.Note("if the right side is a distribution, write `~` for `=`")
	}
}

// lonely reports a value that stands alone.
func (b *builder) lonely(g *gLine, st statement) {
	e := b.expr(g.Left)
	span := b.span(g.Left.place)
	if x, ok := e.(*ast.Binary); ok {
		text := b.text(source.Span{Start: x.OpSpan.Start, End: min(x.OpSpan.Start+2, span.End)})
		switch {
		case text == "<-":
			arrow := source.Span{Start: x.OpSpan.Start, End: x.OpSpan.Start + 2}
			d := b.add("E0106", arrow,
				"nothing is assigned with `<-`; a value is named with `let x = …`, a "+
					"distribution follows `~`")
			switch left := x.X.(type) {
			case *ast.Name:
				d.Suggest(endless(span.Start), "let ").Suggest(arrow, "=")
			case *ast.Index:
				d.Note("an array is made whole: let " + b.text(left.X.Pos()) + " = [e for n in N]")
			}
			return
		case text == "==":
			b.add("E0109", span, "this comparison is computed and not used").
				Note("`==` compares; a value is named with `let x = …`, and a distribution " +
					"follows `~`")
			return
		}
	}
	if n, ok := e.(*ast.Name); ok && words[n.Name] {
		b.add("E0101", endOf(span), "a name is missing after `"+n.Name+"`")
		return
	}
	if call, ok := e.(*ast.Call); ok {
		if n, ok := call.Fun.(*ast.Name); ok &&
			(n.Name == "target" || n.Name == "increment_log_prob") {
			b.add("E0106", n.Span,
				"a term is added to the log density with `factor`").Suggest(n.Span, "factor ")
			return
		}
	}
	d := b.add("E0109", span, "this value is computed and not used")
	switch first := st.tokens[0].text; {
	case first == "-":
		d.Note("if it goes on from the line above, end that line with the `-`")
	case first == "if":
		d.Note("`if` chooses between values, not between statements")
	default:
		d.Note("name it with `let`, observe it with `~`, or add it to the log density with `factor`")
	}
}
