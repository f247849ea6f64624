package check

import "github.com/sgppl/sgppl/lang/ast"

// cycles reports lines of distributions that call themselves, directly or
// through other lines and functions: they would be expanded for ever.
func (c *checker) cycles() {
	done := map[ast.Node]bool{}
	on := map[ast.Node]bool{}
	var visit func(key ast.Node, body ast.Node)
	look := func(call *ast.Call) {
		callee := c.m.Callees[call]
		switch {
		case callee == nil:
		case callee.Dist != nil && callee.Dist.Items[callee.Method] != nil:
			it := callee.Dist.Items[callee.Method]
			if on[it] && it.Body != nil {
				c.report(FnRecursion, call.Span,
					"%s.%s calls itself, which no line of a distribution may", callee.Dist.Name,
					callee.Method).
					Note("a distribution of the file goes before the library's of the same name: " +
						"give yours another name to use the library's")
				return
			}
			visit(it, it.Body)
		case callee.Fn != nil && callee.Fn.Decl != nil:
			visit(callee.Fn.Decl, callee.Fn.Decl.Body.Result)
			for _, let := range callee.Fn.Decl.Body.Lets {
				visit(let, let.Value)
			}
		}
	}
	visit = func(key ast.Node, body ast.Node) {
		if body == nil || done[key] || on[key] {
			return
		}
		on[key] = true
		ast.Inspect(body, func(n ast.Node) bool {
			if call, ok := n.(*ast.Call); ok {
				look(call)
			}
			return true
		})
		on[key] = false
		done[key] = true
	}
	for _, s := range c.m.File.Stmts {
		if d, ok := s.(*ast.Dist); ok {
			for i := range d.Items {
				if d.Items[i].Body != nil && d.Items[i].Name.Name != "check" {
					visit(&d.Items[i], d.Items[i].Body)
				}
			}
		}
	}
}
