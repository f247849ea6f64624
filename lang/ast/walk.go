package ast

// Inspect visits a node and, where visit says true, what it holds, depth first
// and in the order of the text. Names that are not values (Ident), arguments
// and carries are passed through; parts that are absent are not visited.
func Inspect(n Node, visit func(Node) bool) {
	w := walker(visit)
	w.node(n)
}

// InspectFile visits every statement of a file.
func InspectFile(f *File, visit func(Node) bool) {
	for _, s := range f.Stmts {
		Inspect(s, visit)
	}
}

type walker func(Node) bool

func (w walker) exprs(list []Expr) {
	for _, e := range list {
		w.expr(e)
	}
}

func (w walker) expr(e Expr) {
	if e != nil {
		w.node(e)
	}
}

func (w walker) stmts(list []Stmt) {
	for _, s := range list {
		w.node(s)
	}
}

func (w walker) args(list []Arg) {
	for _, a := range list {
		w.expr(a.Value)
	}
}

func (w walker) binds(list []Bind) {
	for i := range list {
		w.node(&list[i])
	}
}

func (w walker) dist(d *DistExpr) {
	if d != nil {
		w.node(d)
	}
}

func (w walker) typ(t *TypeExpr) {
	if t != nil {
		w.node(t)
	}
}

func (w walker) block(b *Block) {
	if b != nil {
		w.node(b)
	}
}

func (w walker) items(list []DimItem) {
	for i := range list {
		w.node(&list[i])
	}
}

func (w walker) groups(list []Group) {
	for i := range list {
		w.node(&list[i])
	}
}

func (w walker) params(list []Param) {
	for i := range list {
		w.node(&list[i])
	}
}

func (w walker) node(n Node) {
	if !w(n) {
		return
	}
	switch n := n.(type) {
	case Expr:
		w.inExpr(n)
	case Stmt:
		w.inStmt(n)
	default:
		w.inPart(n)
	}
}

func (w walker) inExpr(n Expr) {
	switch n := n.(type) {
	case *Unary:
		w.expr(n.X)
	case *Binary:
		w.expr(n.X)
		w.expr(n.Y)
	case *If:
		w.expr(n.Cond)
		w.expr(n.Then)
		w.expr(n.Else)
	case *Paren:
		w.expr(n.X)
	case *Tuple:
		w.exprs(n.Elems)
	case *Array:
		w.exprs(n.Elems)
	case *Comp:
		w.expr(n.Elem)
		w.binds(n.Binds)
	case *Call:
		w.expr(n.Fun)
		w.args(n.Args)
	case *Select:
		w.expr(n.X)
	case *Index:
		w.expr(n.X)
		w.exprs(n.Subs)
	case *Range:
		w.expr(n.Lo)
		w.expr(n.Hi)
	case *Scan:
		w.node(&n.Bind)
		for _, c := range n.Carries {
			w.expr(c.Init)
		}
		w.block(n.Body)
	case *DistValue:
		w.dist(n.Dist)
	}
}

func (w walker) inStmt(n Stmt) {
	switch n := n.(type) {
	case *Dim:
		w.items(n.Items)
	case *Const:
		w.items(n.Items)
	case *Data:
		w.groups(n.Groups)
	case *ParamDecl:
		w.groups(n.Groups)
	case *Local:
		w.groups(n.Groups)
	case *Let:
		w.expr(n.Value)
	case *Fn:
		w.params(n.Params)
		w.typ(n.Result)
		w.block(n.Body)
	case *LayerDef:
		w.params(n.Params)
		w.stmts(n.Decls)
	case *LayerUse:
		for i := range n.Items {
			w.node(&n.Items[i])
		}
	case *Dist:
		w.params(n.Params)
		w.typ(n.On)
		for i := range n.Items {
			w.node(&n.Items[i])
		}
	case *Tilde:
		w.expr(n.Left)
		w.dist(n.Dist)
	case *Factor:
		w.expr(n.Value)
	case *Require:
		w.expr(n.Value)
	case *For:
		w.binds(n.Binds)
		w.stmts(n.Body)
	}
}

// inPart walks what is neither a value nor a statement.
func (w walker) inPart(n Node) {
	switch n := n.(type) {
	case *Bind:
		w.expr(n.In)
	case *Block:
		for _, l := range n.Lets {
			w.node(l)
		}
		w.expr(n.Result)
	case *TypeExpr:
		w.exprs(n.Ends)
		w.exprs(n.Sizes)
		w.expr(n.From)
		for _, t := range n.Tuple {
			w.node(t)
		}
	case *DistExpr:
		w.args(n.Args)
		if n.Comp != nil {
			w.node(n.Comp)
		}
		w.interval(n.Trunc)
		w.interval(n.Cens)
	case *Interval:
		w.expr(n.Lo)
		w.expr(n.Hi)
	case *Group:
		for i := range n.Vars {
			w.node(&n.Vars[i])
		}
		w.typ(n.Type)
		w.dist(n.Prior)
		w.expr(n.Default)
		w.expr(n.Init)
	case *Var:
		w.exprs(n.Sizes)
	case *DimItem:
		w.expr(n.Default)
	case *Param:
		w.typ(n.Type)
		w.expr(n.Default)
		w.dist(n.Dist)
	case *LayerItem:
		w.exprs(n.Sizes)
		w.args(n.Args)
	case *DistItem:
		w.distItem(n)
	}
}

func (w walker) interval(i *Interval) {
	if i != nil {
		w.node(i)
	}
}

func (w walker) distItem(n *DistItem) {
	if n.Let != nil {
		w.node(n.Let)
	}
	if n.Check != nil {
		w.node(n.Check)
	}
	w.expr(n.Body)
}
