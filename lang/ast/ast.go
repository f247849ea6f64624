// Package ast holds the syntax of a model file as plain nodes with spans.
// Nodes are not changed after parsing; what the checker learns of them it keeps aside.
package ast

import "github.com/sgppl/sgppl/lang/source"

// A Node is anything that has a place in the text.
type Node interface{ Pos() source.Span }

// An Expr is a value, a size or a range, by its place.
type Expr interface {
	Node
	expr()
}

// A Stmt is a declaration or a statement.
type Stmt interface {
	Node
	stmt()
}

// A File is a whole model or library file.
type File struct {
	Source *source.File
	// the first /// block, when a blank line or a declaration without its own doc follows: see
	// parser
	Doc   string
	Stmts []Stmt
	// Comments in order, for the printer: // and /// alike.
	Comments []Comment
	// Lost are the names, sorted, in statements that could not be read and so
	// are not in Stmts; empty when the text has no such statement.
	Lost []string
}

// A Comment is one // or /// comment, without its line end.
type Comment struct {
	source.Span
	Text string // with its slashes
}

// An Ident is a name with its place.
type Ident struct {
	source.Span
	Name string
}

// ---- expressions ----

type (
	// Number is 3, 0.5, 1e-6. Int says it was written without point or exponent.
	Number struct {
		source.Span
		Text  string
		Value float64
		Int   bool
	}
	// Bool is true or false.
	Bool struct {
		source.Span
		Value bool
	}
	// Inf is the word inf.
	Inf struct{ source.Span }
	// Name is a name used as a value (or a dim used as a number).
	Name struct {
		source.Span
		Name string
	}
	// Unary is -x or not x.
	Unary struct {
		source.Span
		Op string
		X  Expr
	}
	// Binary is x op y: ^ * / @ + - == != < <= > >= and or.
	Binary struct {
		source.Span
		Op     string
		OpSpan source.Span
		X, Y   Expr
	}
	// If is if c then a else b.
	If struct {
		source.Span
		Cond, Then, Else Expr
	}
	// Paren keeps the user's parentheses for the printer.
	Paren struct {
		source.Span
		X Expr
	}
	// Tuple is (a, b), which only leaves a fn or a scan.
	Tuple struct {
		source.Span
		Elems []Expr
	}
	// Array is [a, b].
	Array struct {
		source.Span
		Elems []Expr
	}
	// Comp is e for i in I, j in J: in brackets it makes an array, as the only
	// argument of a call a reduction (or the components of a mixture).
	Comp struct {
		source.Span
		Elem  Expr
		Binds []Bind
		// Bracket says it is [e for …], an array; otherwise it is the argument of a reduction.
		Bracket bool
	}
	// Call is f(a, k = b); Fun is a Name, or a Select such as normal.logpdf.
	Call struct {
		source.Span
		Fun  Expr
		Args []Arg
	}
	// Select is x.name: normal.logpdf, hid.W.
	Select struct {
		source.Span
		X    Expr
		Name Ident
	}
	// Index is x[i, lo:hi, :]; also a layer of a family, hid[l].
	Index struct {
		source.Span
		X    Expr
		Subs []Expr // an Expr or a Range
	}
	// Range is lo:hi; either end may be nil in a subscript.
	Range struct {
		source.Span
		Lo, Hi Expr
	}
	// Scan is scan t in T from h = h0 { … }.
	Scan struct {
		source.Span
		Bind    Bind
		Carries []Carry
		Tuple   bool // from (a = …, b = …)
		Body    *Block
	}
)

// An Arg is one argument, named when Name is not empty.
type Arg struct {
	Name  Ident // zero when by position
	Value Expr
}

// A Bind is i in I.
type Bind struct {
	source.Span
	Var Ident
	In  Expr // Name, Number, arithmetic of sizes, Range, or Call of a ragged dim
}

// A Carry is h = h0 of a scan.
type Carry struct {
	Name Ident
	Init Expr
}

// A Block is { lets, and a last line that is its value }.
type Block struct {
	source.Span
	Lets   []*Let
	Result Expr
}

func (*Number) expr() {}
func (*Bool) expr()   {}
func (*Inf) expr()    {}
func (*Name) expr()   {}
func (*Unary) expr()  {}
func (*Binary) expr() {}
func (*If) expr()     {}
func (*Paren) expr()  {}
func (*Tuple) expr()  {}
func (*Array) expr()  {}
func (*Comp) expr()   {}
func (*Call) expr()   {}
func (*Select) expr() {}
func (*Index) expr()  {}
func (*Range) expr()  {}
func (*Scan) expr()   {}

// ---- declarations and statements ----

// A TypeExpr is real, interval(a, b)[K], sparse real[P], index[K] from 1, real?.
type TypeExpr struct {
	source.Span
	Sparse   bool
	Name     Ident  // real, positive, simplex, bag, …
	Ends     []Expr // the values in ( ) of interval(a, b)
	Sizes    []Expr // the sizes in [ ]
	Optional bool   // a trailing ?
	From     Expr   // index[J] from 1; nil otherwise
	// Tuple holds the parts of a fn's result type (real, real[K]); Name is then empty.
	Tuple []*TypeExpr
}

// A DistExpr is what follows ~ : normal(0, 1) truncated(0, inf), or the
// name of a distribution argument of a layer.
type DistExpr struct {
	source.Span
	Name  Ident
	Call  bool // false for a bare name, such as prior in a layer
	Args  []Arg
	Comp  *Comp     // mixture(w, normal(mu[k], s) for k in K): Elem is a *DistValue
	Trunc *Interval // truncated(lo, hi)
	Cens  *Interval // censored(lo, hi)
}

// DistValue lets a distribution stand where an expression does: the arguments of mixture and the
// default of a layer's ~ argument.
type DistValue struct {
	source.Span
	Dist *DistExpr
}

func (*DistValue) expr() {}

// An Interval is (lo, hi) after truncated or censored.
type Interval struct {
	source.Span
	Lo, Hi Expr
}

// A Var is one declared name with its family sizes: w[P].
type Var struct {
	source.Span
	Doc   string
	Name  Ident
	Sizes []Expr
}

// A Group is names that share a type, prior, default, strategy and start: a, b[J] : real ~
// normal(0, 1) init 0.
type Group struct {
	source.Span
	Vars    []Var
	Type    *TypeExpr
	Prior   *DistExpr // nil without ~
	Default Expr      // data alpha : positive = 0.1
	By      *Ident    // by gibbs
	Init    Expr      // init he(n): a call of a law, or a number; nil without
}

// A DimItem is N, K = 20, or T(N).
type DimItem struct {
	source.Span
	Doc     string
	Name    Ident
	Default Expr   // nil without =
	Parent  *Ident // T(N); nil when not ragged
}

// A Param of a fn, dist or layer.
type Param struct {
	source.Span
	Name    Ident
	Type    *TypeExpr // nil for a layer's sizes and ~ arguments
	Default Expr      // nil without =
	Dist    *DistExpr // a layer's prior ~ normal(0, 1): the default distribution
}

type (
	// Use is use nn.
	Use struct {
		source.Span
		Name Ident
	}
	// Dim is dim N, K = 20, T(N).
	Dim struct {
		source.Span
		Doc   string
		Items []DimItem
	}
	// Const is const H = 100, L = 3.
	Const struct {
		source.Span
		Doc   string
		Items []DimItem
	}
	// Data is data x[N] : real[P], …
	Data struct {
		source.Span
		Doc    string
		Groups []Group
	}
	// ParamDecl is param w[P] : real ~ normal(0, 1), …
	ParamDecl struct {
		source.Span
		Doc    string
		Groups []Group
	}
	// Local is local z : index[K] ~ categorical(theta) by gibbs.
	Local struct {
		source.Span
		Doc    string
		Groups []Group
	}
	// Let is let x = e, or let (p, q) = e. Track is a stored let, Generate one that is computed
	// after a run, once for each draw, and may draw at random; it is stored unless it is Hidden,
	// `generate let`.
	Let struct {
		source.Span
		Doc      string
		Track    bool
		Generate bool
		Hidden   bool
		Names    []Ident
		Tuple    bool
		Value    Expr
	}
	// Fn is fn f(a : real) -> real { … }.
	Fn struct {
		source.Span
		Doc    string
		Name   Ident
		Params []Param
		Result *TypeExpr
		Body   *Block
	}
	// LayerDef is layer Dense(n_in, n_out, prior ~ normal(0, 1)) { param …; fn apply(…) … }.
	LayerDef struct {
		source.Span
		Doc    string
		Name   Ident
		Params []Param
		Decls  []Stmt // ParamDecl, Let and Fn
	}
	// LayerUse is layer l1 = Dense(784, H), hid[L] = Dense(H, H, prior ~ normal(0, 0.1)).
	LayerUse struct {
		source.Span
		Doc   string
		Items []LayerItem
	}
	// Dist is dist name(args) on type { logpdf(x) = …; sample = …; check … }.
	Dist struct {
		source.Span
		Doc    string
		Name   Ident
		Params []Param
		On     *TypeExpr
		Items  []DistItem
	}
	// Tilde is y[n] ~ dist(…).
	Tilde struct {
		source.Span
		Left Expr
		Dist *DistExpr
	}
	// Factor is factor e.
	Factor struct {
		source.Span
		Value Expr
	}
	// Require is require x == [1, 2]: data of other values are refused.
	Require struct {
		source.Span
		Value Expr
	}
	// For is for n in N, m in M { … }.
	For struct {
		source.Span
		Binds []Bind
		Body  []Stmt
	}
)

// A LayerItem is l1 = Dense(784, H): a use of a layer definition.
// A ~ argument is an Arg with a Name and a *DistValue.
type LayerItem struct {
	source.Span
	Name  Ident
	Sizes []Expr // hid[L]
	Def   Ident
	Args  []Arg
}

// A DistItem is one line of a dist: logpdf(x) = e, sample = e, let, or check.
type DistItem struct {
	source.Span
	Name   Ident   // logpdf, cdf, logcdf, logccdf, sample, mean, let, check
	Params []Ident // of logpdf(x)
	Body   Expr    // the right-hand side; of check the value expected
	Let    *Let    // when Name is "let"
	Check  *Call   // logpdf(1.5, 2), when Name is "check"
}

func (*Use) stmt()       {}
func (*Dim) stmt()       {}
func (*Const) stmt()     {}
func (*Data) stmt()      {}
func (*ParamDecl) stmt() {}
func (*Local) stmt()     {}
func (*Let) stmt()       {}
func (*Fn) stmt()        {}
func (*LayerDef) stmt()  {}
func (*LayerUse) stmt()  {}
func (*Dist) stmt()      {}
func (*Tilde) stmt()     {}
func (*Factor) stmt()    {}
func (*Require) stmt()   {}
func (*For) stmt()       {}
