package parser

import "github.com/alecthomas/participle/v2/lexer"

// The grammar of values, one struct a level, loosest first. It looks one token
// ahead and nowhere steps back; where one token does not decide, a lookahead
// group does.

type place struct {
	Pos    lexer.Position
	EndPos lexer.Position
}

type gIdent struct {
	place
	Name string `parser:"@Ident"`
}

type gExpr struct {
	place
	If *gIf `parser:"  @@"`
	Or *gOr `parser:"| @@"`
}

type gIf struct {
	place
	Cond *gExpr `parser:"\"if\" @@"`
	Then *gExpr `parser:"\"then\" @@"`
	Else *gExpr `parser:"\"else\" @@"`
}

type gOr struct {
	place
	Head *gAnd     `parser:"@@"`
	Tail []gOrTail `parser:"@@*"`
}

type gOrTail struct {
	place
	Op string `parser:"@\"or\""`
	X  *gAnd  `parser:"@@"`
}

type gAnd struct {
	place
	Head *gNot      `parser:"@@"`
	Tail []gAndTail `parser:"@@*"`
}

type gAndTail struct {
	place
	Op string `parser:"@\"and\""`
	X  *gNot  `parser:"@@"`
}

type gNot struct {
	place
	Not *gNot `parser:"  \"not\" @@"`
	Cmp *gCmp `parser:"| @@"`
}

type gCmp struct {
	place
	Left  *gSum     `parser:"@@"`
	Right *gCmpTail `parser:"@@?"`
}

type gCmpTail struct {
	place
	Op string `parser:"@( \"==\" | \"!=\" | \"<=\" | \"<\" | \">=\" | \">\" )"`
	X  *gSum  `parser:"@@"`
}

type gSum struct {
	place
	Head *gMul      `parser:"@@"`
	Tail []gSumTail `parser:"@@*"`
}

type gSumTail struct {
	place
	Op string `parser:"@( \"+\" | \"-\" )"`
	X  *gMul  `parser:"@@"`
}

type gMul struct {
	place
	Head *gUnary    `parser:"@@"`
	Tail []gMulTail `parser:"@@*"`
}

type gMulTail struct {
	place
	Op string  `parser:"@( \"*\" | \"/\" | \"%\" | \"@\" )"`
	X  *gUnary `parser:"@@"`
}

type gUnary struct {
	place
	Minus *gUnary `parser:"  \"-\" @@"`
	Pow   *gPow   `parser:"| @@"`
}

type gPow struct {
	place
	Base *gPostfix `parser:"@@"`
	Exp  *gPowTail `parser:"@@?"`
}

type gPowTail struct {
	place
	Op string  `parser:"@\"^\""`
	X  *gUnary `parser:"@@"`
}

type gPostfix struct {
	place
	Scan *gScan    `parser:"  @@"` // no suffix: (scan …)[N] takes parentheses
	Head *gPrimary `parser:"| @@"`
	Tail []gSuffix `parser:"  @@*"`
}

type gSuffix struct {
	place
	Call bool    `parser:"  @\"(\""`
	Args *gArgs  `parser:"  @@? \")\""`
	Subs []gSub  `parser:"| \"[\" @@ ( \",\" @@ )* \"]\""`
	Name *gIdent `parser:"| \".\" @@"`
}

type gSub struct {
	place
	Value *gExpr `parser:"  @@"`
	Colon bool   `parser:"  ( @\":\""`
	Hi    *gExpr `parser:"    @@? )?"`
	From0 bool   `parser:"| @\":\""`
	To    *gExpr `parser:"  @@?"`
}

type gArgs struct {
	place
	Args  []gArg  `parser:"@@ ( \",\" @@ )*"`
	Binds []gBind `parser:"( \"for\" @@ ( \",\" @@ )* )?"`
}

type gArg struct {
	place
	Name  *gIdent `parser:"  ( (?= Ident ( \"=\" | \"~\" ) ) @@"`
	Dist  *gDist  `parser:"    ( \"~\" @@"`
	Named *gExpr  `parser:"    | \"=\" @@ ) )"`
	Value *gExpr  `parser:"| @@"`
	Cuts  []gCut  `parser:"  @@*"`
}

// A gCut is truncated(lo, hi) or censored(lo, hi).
type gCut struct {
	place
	Kind string `parser:"@( \"truncated\" | \"censored\" ) \"(\""`
	Lo   *gExpr `parser:"@@ \",\""`
	Hi   *gExpr `parser:"@@ \")\""`
}

type gPrimary struct {
	place
	Number string  `parser:"  @Number"`
	Word   string  `parser:"| @( \"true\" | \"false\" | \"inf\" )"`
	Name   string  `parser:"| @Ident"`
	Paren  *gParen `parser:"| @@"`
	Array  *gArray `parser:"| @@"`
}

type gParen struct {
	place
	Elems []*gExpr `parser:"\"(\" @@ ( \",\" @@ )* \")\""`
}

type gArray struct {
	place
	Elems []*gExpr `parser:"\"[\" @@"`
	Binds []gBind  `parser:"( \"for\" @@ ( \",\" @@ )*"`
	Rest  []*gExpr `parser:"| ( \",\" @@ )+ )? \"]\""`
}

type gScan struct {
	place
	Bind   *gBind   `parser:"\"scan\" @@ \"from\""`
	Tuple  []gCarry `parser:"( (?= \"(\" Ident \"=\" ) \"(\" @@ ( \",\" @@ )* \")\""`
	Single *gCarry  `parser:"| @@ )"`
	Body   string   `parser:"@Block"`
}

type gCarry struct {
	place
	Name *gIdent `parser:"@@ \"=\""`
	Init *gExpr  `parser:"@@"`
}

type gBind struct {
	place
	Var *gIdent `parser:"@@ \"in\""`
	Lo  *gSum   `parser:"@@"`
	Hi  *gSum   `parser:"( \":\" @@ )?"`
}
