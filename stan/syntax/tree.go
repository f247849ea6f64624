// Package syntax reads Stan programs: a lexer, a parser by recursive descent, and the tree that
// they make. It knows the language of the reference manual of Stan 2.36, the array syntax of older
// versions, and what was removed since but still stands in programs.
package syntax

import "github.com/sgppl/sgppl/lang/source"

// A Program is a whole Stan program by its blocks. A block that is not written is empty.
type Program struct {
	Source      *source.File
	Functions   []*Func
	Data        []Stmt
	TransData   []Stmt
	Params      []Stmt
	TransParams []Stmt
	Model       []Stmt
	Generated   []Stmt
	Comments    []Comment
}

// A Comment is the text between the signs of one comment, with its place.
type Comment struct {
	source.Span
	Text  string
	Alone bool // nothing but the comment stands on its line
}

// A Func is a user's function.
type Func struct {
	source.Span
	Name   string
	Result *Type // nil for void
	Args   []Arg
	Body   []Stmt // nil for a declaration without a body

	Library bool // it is one of Stan's library that is written in Stan
}

// An Arg is one argument of a user's function.
type Arg struct {
	Type *Type
	Name string
}

// A Type is a declared type: its base with sizes and constraint, and the sizes of the array around
// it. In the head of a function sizes are nil.
type Type struct {
	source.Span
	Base   string // int, real, vector, simplex, cholesky_factor_corr, tuple, …
	Sizes  []Expr // in the brackets of the base: vector[N]
	Array  []Expr // array[N, M]; entries are nil in the head of a function
	Tuple  []*Type
	Lower  Expr
	Upper  Expr
	Offset Expr
	Mult   Expr
}

// An Expr is an expression by its place.
type Expr interface{ Pos() source.Span }

type (
	// Int is a whole number.
	Int struct {
		source.Span
		Text string
	}
	// Real is a number with a point or an exponent.
	Real struct {
		source.Span
		Text string
	}
	// Str is a text, for print and reject.
	Str struct {
		source.Span
		Text string
	}
	// Name is a variable.
	Name struct {
		source.Span
		Name string
	}
	// Unary is -x, !x, +x, or x' with the operator behind.
	Unary struct {
		source.Span
		Op string
		X  Expr
	}
	// Binary is x op y.
	Binary struct {
		source.Span
		Op   string
		X, Y Expr
	}
	// Cond is c ? a : b.
	Cond struct {
		source.Span
		Cond, Then, Else Expr
	}
	// Call is f(a, b), or f(y | a, b) with Bar.
	Call struct {
		source.Span
		Fun  string
		Args []Expr
		Bar  bool
	}
	// Index is x[i, lo:hi, ].
	Index struct {
		source.Span
		X    Expr
		Subs []Sub
	}
	// Array is {a, b}, or [a, b] with Row: a row vector or a matrix.
	Array struct {
		source.Span
		Elems []Expr
		Row   bool
	}
	// Tuple is (a, b).
	Tuple struct {
		source.Span
		Elems []Expr
	}
	// Field is t.1.
	Field struct {
		source.Span
		X Expr
		N int
	}
)

// A Sub is one subscript: an expression, or a range whose ends may be missing.
type Sub struct {
	source.Span
	X      Expr // nil for a range
	Range  bool
	Lo, Hi Expr
}

// A Stmt is a statement by its place.
type Stmt interface{ Pos() source.Span }

type (
	// Decl declares a variable, with a value or without.
	Decl struct {
		source.Span
		Type  *Type
		Name  string
		Value Expr
		Doc   string // of the comments that stand by it
	}
	// Assign is a = b, or a += b with the operator +.
	Assign struct {
		source.Span
		Left  Expr
		Op    string // "", +, -, *, /, .*, ./
		Value Expr
	}
	// Tilde is y ~ d(a, b) T[lo, hi].
	Tilde struct {
		source.Span
		Left   Expr
		Dist   string
		Args   []Expr
		Trunc  bool
		Lo, Hi Expr
	}
	// Target is target += e; Jacobian says jacobian += e.
	Target struct {
		source.Span
		Value    Expr
		Jacobian bool
	}
	// For is for (i in lo:hi) body, or over the entries of In.
	For struct {
		source.Span
		Var    string
		Lo, Hi Expr
		In     Expr
		Body   []Stmt
	}
	// While is while (c) body.
	While struct {
		source.Span
		Cond Expr
		Body []Stmt
	}
	// If is if (c) then else.
	If struct {
		source.Span
		Cond       Expr
		Then, Else []Stmt
	}
	// Block is { … }, also the body of profile.
	Block struct {
		source.Span
		Body []Stmt
	}
	// Break is break, Continue continue.
	Break struct{ source.Span }
	// Continue goes on with the next turn of a loop.
	Continue struct{ source.Span }
	// Return is return e.
	Return struct {
		source.Span
		Value Expr // nil in a void function
	}
	// Do calls a function that returns nothing: print, reject, a user's.
	Do struct {
		source.Span
		Call *Call
	}
)
