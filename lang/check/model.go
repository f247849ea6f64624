// Package check finds out what the names of a model mean, what shape and kind
// every expression has, at which level it is known, and along which axes the
// log density is a sum. It reports every mistake of a file at once and never
// changes the syntax: what it learns it keeps in side tables.
package check

import (
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/builtin"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
)

// Options of a check.
type Options struct {
	Set map[string]float64 // --set: values of consts and of dims with defaults
}

// A Model is a checked file and what was learnt of it. When Diags has errors
// the tables are incomplete.
type Model struct {
	File    *ast.File
	Diags   diag.List
	Symbols []*Symbol // everything declared at file level, in order

	// of every value expression, here and in the library bodies that are used
	Types map[ast.Expr]types.Type
	// in the body of a fn, layer or dist its arguments count as known at compile time
	Levels map[ast.Expr]Level
	// *ast.Name, and *ast.Ident of declarations, binds, carries and lets
	Uses   map[ast.Node]*Symbol
	Sizes  map[ast.Expr]types.Size // of every size expression
	Ranges map[*ast.Bind]*Range    // what a bound index runs over
	// what the row is called that a subscript of data chooses, in sizes T(row)
	Rows    map[ast.Expr]string
	Indexes map[ast.Expr]*Subscript // how each subscript of an ast.Index acts, by the subscript
	Callees map[*ast.Call]*Callee   // what a call means
	// Dists: what a distribution means where it stands. Where several names
	// share one (param a, b[J] : real ~ normal(0, 1), the default prior of a
	// layer) this is the first's; Symbol.Prior and LayerWeight.Use have each one's own.
	Dists map[*ast.DistExpr]*DistUse

	Batchable   []Axis
	Unbatchable []Unbatchable
	Locals      []*Local              // every local, and every param with its own strategy
	Required    map[*Symbol]*Required // by data, the only values that they may have
}

// Generated lists the names of the values that `generate` lines store, in their order.
func (m *Model) Generated() []string {
	var names []string
	for _, s := range m.Symbols {
		if d, ok := s.Decl.(*ast.Let); ok && d.Generate && !d.Hidden {
			names = append(names, s.Name)
		}
	}
	return names
}

// A Kind is the kind of thing that a name denotes.
type Kind int

const (
	Dim Kind = iota
	Const
	Data
	Param
	LocalVar // local z
	Let
	Track
	Generated
	Bound // the index of a plate, comprehension or scan
	Carry // a carried value of a scan
	FnArg
	SizeVar // a size found from an argument, or an argument of a layer
	Fn
	LayerDef
	Layer      // an instance or family of a layer
	LayerParam // a param inside a layer's definition
	DistArg    // a distribution argument of a layer
	Dist
)

var kindWords = [...]string{"dim", "const", "data", "param", "local", "let", "track",
	"generated value", "index",
	"carried value",
	"argument", "size", "function", "layer", "layer", "weight of a layer", "distribution argument",
	"distribution"}

func (k Kind) String() string { return kindWords[k] }

// article is the kind in a sentence.
func (k Kind) article() string {
	switch k {
	case Bound, FnArg:
		return "an " + k.String()
	case Data:
		return "data"
	}
	return "a " + k.String()
}

// A Symbol is a declared name.
type Symbol struct {
	Kind  Kind
	Name  string
	Doc   string
	Decl  ast.Node
	Group *ast.Group // of data, param, local
	Type  types.Type // of a value
	Level Level
	File  *source.File
	Span  source.Span

	// Consts, and dims with a default or a --set value.
	HasValue bool
	Value    float64
	Default  types.Size // of a dim: its default, in dims declared above it
	Parent   *Symbol    // of a ragged dim

	Range   *Range     // of Bound
	Fn      *FnInfo    // of Fn
	Def     *LayerInfo // of LayerDef
	Inst    *LayerUse  // of Layer
	Dist    *DistDef   // of Dist
	Prior   *DistUse   // of data, param, local: the one that its declaration gives
	Plate   []*Symbol  // the plate indices around a local, let or bound index, outermost first
	Expr    ast.Expr   // of Let, Track: the expression
	Part    int        // of a let (p, q) = …: which part; -1 otherwise
	By      string     // the strategy that was asked for
	Missing bool       // data real? that is modelled
	Init    *Init      // of a param: where chains start; nil for the default
}

// A Stage says when a value is known.
type Stage int

const (
	AtCompile Stage = iota // numbers, consts
	OfData                 // once the data is bound
	OfParams               // it changes with the unknowns
)

// A Level is a stage, and whether the value belongs to a row: it depends on a
// plate's index or on a local.
type Level struct {
	Stage Stage
	Row   bool
}

func (l Level) join(m Level) Level {
	return Level{max(l.Stage, m.Stage), l.Row || m.Row}
}

// A Range has the values of a bound index: lo, lo + 1, … (Len of them).
type Range struct {
	Lo, Len types.Size
	Var     *Symbol
	Ragged  *Symbol // the ragged dim that gives the length; nil otherwise
	Of      *Symbol // the index that says which row of the ragged dim
	// Ends has the ends lo and hi of a range that change with an index or with data, nil for an end
	// that does not: Lo and Len are then the widest possible.
	Ends  [2]ast.Expr
	Level Level // of the ends
}

// Moves reports whether an end changes with an index or with data.
func (r *Range) Moves() bool { return r.Ends != [2]ast.Expr{} }

// Hi is the end of the range, exclusive.
func (r *Range) Hi() types.Size { return r.Lo.Add(r.Len) }

// A SubKind says how a subscript acts.
type SubKind int

const (
	Point  SubKind = iota // removes the axis
	Slice                 // keeps Len entries from Lo; Lo may be an expression
	Gather                // replaces the axis by those of the index
)

// A Subscript is how one subscript acts on its axis.
type Subscript struct {
	Kind    SubKind
	Axis    types.Size // the size of the axis
	Len     types.Size // of a Slice
	Checked bool       // to be checked with the data that it stays inside
}

// A Callee is the resolved meaning of a call. One of Builtin, Fn, Layer and Dist is set.
type Callee struct {
	Builtin *builtin.Func
	Fn      *FnInfo    // a user's or library's function, also the apply of Layer
	Layer   *Symbol    // l1(x), hid[l](x): the instance
	Subs    []ast.Expr // of a member of a family of layers
	Dist    *DistDef   // normal.logpdf
	Method  string     // logpdf, cdf, logcdf, logccdf, sample

	// in declared order, defaults filled in; nil where a named option is left out
	Args        []ast.Expr
	Rest        []ast.Expr // of ode: what follows ts
	Ode         *FnInfo    // of ode: its function
	Elementwise bool       // a function of numbers applied entry by entry to Shape
	Shape       types.Shape
	Sizes       map[string]types.Size // the size variables of the signature, and a layer's sizes
	Comp        *ast.Comp             // sum(e for i in I)
	Window      Window                // of conv2d and the pools
}

// A FnInfo is a checked function.
type FnInfo struct {
	Decl     *ast.Fn
	Symbol   *Symbol
	Params   []*Symbol
	Result   types.Type // a Tuple with Parts, or a value
	SizeVars []string   // found from the arguments
	Numbers  bool       // takes only numbers: it may be applied entry by entry
	Layer    *LayerInfo // of an apply
}

// A LayerInfo is a checked layer definition. Its types are in its own sizes.
type LayerInfo struct {
	Decl   *ast.LayerDef
	Symbol *Symbol
	Sizes  []*Symbol // n_in, n_out
	Values []*Symbol // rate : unit, numbers with a type
	Dists  []*Symbol // prior
	Params []*Symbol // W, b
	Lets   []*Symbol
	Fns    []*FnInfo
	Apply  *FnInfo

	scope *scope // of its sizes, where the default of a distribution argument is read
}

// A LayerUse is an instance of a layer, or a family of them.
type LayerUse struct {
	Def    *LayerInfo
	Decl   *ast.LayerItem
	Family types.Shape
	Sizes  map[string]types.Size
	Values map[*Symbol]ast.Expr     // the arguments that are numbers, defaults filled in
	Dists  map[string]*ast.DistExpr // the distribution arguments, defaults filled in
	Params []*LayerWeight
}

// A LayerWeight is one array of weights of an instance.
type LayerWeight struct {
	Param *Symbol       // in the definition
	Type  types.Type    // with the family's axes and the instance's sizes
	Prior *ast.DistExpr // in the sizes of the instance; nil without a prior
	Use   *DistUse      // the prior on this array
	Init  *Init         // where chains start; nil for the default
}

// A DistDef is a checked distribution.
type DistDef struct {
	Decl     *ast.Dist
	Symbol   *Symbol
	Name     string
	Params   []*Symbol
	On       types.Type
	SizeVars []string
	Items    map[string]*ast.DistItem // logpdf, cdf, logcdf, logccdf, sample, mean
	Lets     []*Symbol
	Value    map[*ast.DistItem]*Symbol // the x of logpdf(x)
}

// HasCDF reports whether truncation and censoring can be computed.
func (d *DistDef) HasCDF() bool {
	return d.Items["cdf"] != nil || d.Items["logcdf"] != nil && d.Items["logccdf"] != nil
}

// A DistForm is the form of the distribution after ~.
type DistForm int

const (
	Plain DistForm = iota // Def with Args
	Mixture
	PointMass
	Argument // the distribution argument of a layer
)

// A DistUse is a distribution where it stands.
type DistUse struct {
	Form   DistForm
	Def    *DistDef
	Arg    *Symbol     // of Argument
	Args   []ast.Expr  // in declared order, defaults filled in; of Mixture the weights alone
	Shared []bool      // per argument: shaped as declared, and so the same for the whole family
	Family types.Shape // one value of the distribution per entry of it
	Own    types.Shape // the shape of one value
	Sizes  map[string]types.Size
	Comps  []*DistUse // of Mixture
	Comp   *ast.Comp  // of Mixture over an index
	Trunc  *ast.Interval
	Cens   *ast.Interval
	// Conditioned: the left side's type is narrower than the support, so the
	// density is divided by the probability of the type.
	Conditioned bool
	Target      types.Type
}

// An Axis is a dim of the data that can be minibatched.
type Axis struct {
	Name string
	Dim  *Symbol
}

// Unbatchable says why a dim of the data cannot be minibatched.
type Unbatchable struct {
	Axis   string
	Span   source.Span
	Reason string
}

// A Local is an unknown with a strategy.
type Local struct {
	Symbol   *Symbol
	Strategy string // marginal, gibbs, collapse, gmc, or a chart of a param
	Asked    bool   // by the model's by; otherwise picked
	Why      string // it was picked
	With     string // of collapse: the pair, such as dirichlet-categorical
}
