package parser

import (
	"sync"

	"github.com/alecthomas/participle/v2"
)

// The grammar of statements. Words carry their token kind, so that a name that
// is spelt like one stays a name. Blocks are single tokens here: the splitter
// cut them out, and the builder parses their statements on their own.

type gStmt struct {
	place
	Use      *gIdent    `parser:"  \"use\":Word @@"`
	Dim      *gDims     `parser:"| \"dim\":Word @@"`
	Const    *gDims     `parser:"| \"const\":Word @@"`
	Data     *gGroups   `parser:"| \"data\":Word @@"`
	Param    *gGroups   `parser:"| \"param\":Word @@"`
	Local    *gGroups   `parser:"| \"local\":Word @@"`
	Let      *gLet      `parser:"| \"let\":Word @@"`
	Track    *gLet      `parser:"| \"track\":Word @@"`
	Generate *gGenerate `parser:"| \"generate\":Word @@"`
	Fn       *gFn       `parser:"| \"fn\":Word @@"`
	Layer    *gLayer    `parser:"| \"layer\":Word @@"`
	Dist     *gDistDef  `parser:"| \"dist\":Word @@"`
	Check    *gExpr     `parser:"| \"check\":Word @@"`
	Require  *gExpr     `parser:"| \"require\":Word @@"`
	Factor   *gExpr     `parser:"| \"factor\" @@"`
	For      *gFor      `parser:"| \"for\" @@"`
	Line     *gLine     `parser:"| @@"`
}

// A gLine begins with a value: an observation, a dist's logpdf(x) = e, or a block's last line.
type gLine struct {
	place
	Left  *gExpr `parser:"@@"`
	Tilde *gDist `parser:"( \"~\" @@"`
	Equal *gExpr `parser:"| \"=\" @@ )?"`
}

type gDims struct {
	place
	Items []gDim `parser:"@@ ( \",\" @@ )*"`
}

type gDim struct {
	place
	Name    *gIdent `parser:"@@"`
	Parent  *gIdent `parser:"( \"(\" @@ \")\" )?"`
	Default *gExpr  `parser:"( \"=\" @@ )?"`
}

type gGroups struct {
	place
	Groups []gGroup `parser:"@@ ( \",\" @@ )*"`
}

type gGroup struct {
	place
	Vars    []gVar  `parser:"@@ ( \",\" @@ )*"`
	Type    *gType  `parser:"\":\" @@"`
	Prior   *gDist  `parser:"( \"~\" @@"`
	Default *gExpr  `parser:"| \"=\" @@ )?"`
	By      *gIdent `parser:"( \"by\" @@ )?"`
	Init    *gExpr  `parser:"( \"init\" @@ )?"`
}

type gVar struct {
	place
	Name  *gIdent  `parser:"@@"`
	Sizes []*gExpr `parser:"( \"[\" @@ ( \",\" @@ )* \"]\" )?"`
}

type gType struct {
	place
	Tuple    []*gType `parser:"  \"(\" @@ ( \",\" @@ )* \")\""`
	Sparse   bool     `parser:"| @( (?= \"sparse\" Ident ) \"sparse\" )?"`
	Name     *gIdent  `parser:"  @@"`
	Ends     []*gExpr `parser:"  ( \"(\" @@ ( \",\" @@ )* \")\" )?"`
	Sizes    []*gExpr `parser:"  ( \"[\" @@ ( \",\" @@ )* \"]\" )?"`
	Optional bool     `parser:"  @\"?\"?"`
	From     *gUnary  `parser:"  ( \"from\" @@ )?"`
}

type gDist struct {
	place
	Name *gIdent `parser:"@@"`
	Call bool    `parser:"( @\"(\""`
	Args *gArgs  `parser:"  @@? \")\" )?"`
	Cuts []gCut  `parser:"@@*"`
}

type gLet struct {
	place
	Tuple []gIdent `parser:"( \"(\" @@ ( \",\" @@ )* \")\""`
	Name  *gIdent  `parser:"| @@ )"`
	Value *gExpr   `parser:"\"=\" @@"`
}

type gGenerate struct {
	Hidden bool  `parser:"@\"let\":Word?"`
	Let    *gLet `parser:"@@"`
}

type gFn struct {
	place
	Name   *gIdent `parser:"@@ \"(\""`
	Params []gPar  `parser:"( @@ ( \",\" @@ )* )? \")\""`
	Result *gType  `parser:"\"->\" @@"`
	Body   string  `parser:"@Block"`
}

type gPar struct {
	place
	Name    *gIdent `parser:"@@"`
	Type    *gType  `parser:"( \":\" @@ )?"`
	Default *gExpr  `parser:"( \"=\" @@"`
	Dist    *gDist  `parser:"| \"~\" @@ )?"`
}

type gLayer struct {
	place
	Def   *gLayerDef   `parser:"  (?= Ident \"(\" ) @@"`
	Items []gLayerItem `parser:"| @@ ( \",\" @@ )*"`
}

type gLayerDef struct {
	place
	Name   *gIdent `parser:"@@ \"(\""`
	Params []gPar  `parser:"( @@ ( \",\" @@ )* )? \")\""`
	Body   string  `parser:"@Block"`
}

type gLayerItem struct {
	place
	Name  *gIdent  `parser:"@@"`
	Sizes []*gExpr `parser:"( \"[\" @@ ( \",\" @@ )* \"]\" )?"`
	Def   *gIdent  `parser:"\"=\" @@ \"(\""`
	Args  *gArgs   `parser:"@@? \")\""`
}

type gDistDef struct {
	place
	Name   *gIdent `parser:"@@ \"(\""`
	Params []gPar  `parser:"( @@ ( \",\" @@ )* )? \")\""`
	On     *gType  `parser:"\"on\" @@"`
	Body   string  `parser:"@Block"`
}

type gFor struct {
	place
	Binds []gBind `parser:"@@ ( \",\" @@ )*"`
	Body  string  `parser:"@Block"`
}

// grammar is made where the first text is parsed: many commands parse none.
var grammar = sync.OnceValue(func() *participle.Parser[gStmt] {
	return participle.MustBuild[gStmt](participle.Lexer(definition{symbols}),
		participle.UseLookahead(0))
})
