// Package cuda prints the gradient of a model and the steps of a sampler as CUDA C, with the
// launches that make a step. Every size is a number in the text, but for how many rows a
// minibatch has.
//
// The text has one device function for every step of the plan, here a part. Parts that do not wait
// for one another are one kernel, whose blocks are divided among them; a step of a sampler is then
// as many kernels as the longest chain of parts that do.
package cuda

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/device/wire"
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

//go:embed prelude.cu
var prelude string

// Input is a gradient and what moves the state along it.
type Input struct {
	Program *plan.Program // the gradient, by plan.BuildWhole, in single precision
	Spec    *model.Spec
	Dims    map[string]int
	Rows    int // of the largest minibatch; 0 for a model without rows
	Ring    int // how many steps are sent at a time
	Flows   []flow.Kind
	Grain   flow.Grain
}

// A Refusal is a part of a model, or of a sampler, that has no kernel.
type Refusal struct{ What string }

func (e *Refusal) Error() string { return e.What + " has no kernel for a graphics processor" }

func refuse(format string, args ...any) error { return &Refusal{fmt.Sprintf(format, args...)} }

// The buffers of every job, by their index.
const (
	Steps  = iota // the ring of steps, see Step
	Cursor        // the step at hand, then how many blocks have ended it
	Bad           // the number of the first step whose state is not finite
	X             // the state
	V             // velocity
	Xi            // thermostats
	Force
	Noise     // standard normals of the step
	Jumps     // see jumps
	RowOrder  // the rows of each step of the ring
	firstFree // the first buffer of a model
)

// A Column is a datum, which the caller writes into Buffer as float32, or as float64 if Double.
type Column struct {
	Datum  int // index of Spec.Data
	Buffer int
	Width  int // numbers of a row, or in all
	Rows   bool
	Double bool // a number without axes
}

// A Result is a job with what its caller fills in.
type Result struct {
	Job     *wire.Job
	Columns []Column
	Jumps   []byte // of the buffer Jumps
}

// Generate prints a job. An error is a *Refusal, or a mistake of the compiler.
func Generate(in Input) (*Result, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	g := &generator{Input: in, job: &wire.Job{}, place: map[*plan.Buffer]place{},
		column: map[int]int{}}
	g.dim = g.stateLen()
	g.fixed()
	g.findReadOnce()
	if err := g.gradient(); err != nil {
		return nil, err
	}
	g.write()
	return &Result{Job: g.job, Columns: g.columns, Jumps: g.jumps}, nil
}

// check refuses what no part of the package prints.
func (in *Input) check() error {
	if len(in.Spec.Masks) > 0 {
		return refuse("dropout")
	}
	if in.Spec.Chain != nil {
		return refuse("a chain that draws latent values of rows (%s)", in.Spec.Chain.Links[0].Name)
	}
	if in.Rows == 0 {
		return refuse("a model without rows")
	}
	return in.checkFlows()
}

type generator struct {
	Input
	job     *wire.Job
	dim     int
	place   map[*plan.Buffer]place
	columns []Column
	column  map[int]int // by index of Spec.Data
	parts   []*part
	fed     []*part // gathers of rows
	jumps   []byte
	current *part // the part that is printed
	// temporaries that a single loop reads, and nothing else
	readOnce map[*plan.Buffer]bool
}

// A place is where a buffer of the plan is.
type place struct {
	buffer int
	offset int  // in numbers
	double bool // float64
	// a sum is in so many pieces, one stride after another, which its reader adds up; 0: as it is
	pieces, stride int
}

// A part is a device function.
type part struct {
	name   string
	text   string // its body
	blocks int
	args   []wire.Arg
	shared int // numbers of shared memory
	level  int
}

// use says that the part at hand reads or writes a buffer of the job.
func (g *generator) use(buffer int, writes bool) string {
	p := g.current
	i := slices.IndexFunc(p.args, func(a wire.Arg) bool { return a.Buffer == buffer })
	if i < 0 {
		p.args = append(p.args, wire.Arg{Buffer: buffer, Writes: writes})
	} else if writes {
		p.args[i].Writes = true
	}
	return fmt.Sprintf("b%d", buffer)
}

// begin starts a part.
func (g *generator) begin(kind string) *part {
	g.current = &part{name: fmt.Sprintf("%s_%d", kind, len(g.parts)+len(g.fed))}
	return g.current
}

// end keeps the part at hand.
func (g *generator) end(text string, blocks int) {
	g.current.text, g.current.blocks = text, max(blocks, 1)
	g.parts = append(g.parts, g.current)
}

// buffer adds memory to the job.
func (g *generator) buffer(name string, bytes int64) int {
	g.job.Buffers = append(g.job.Buffers, wire.Buffer{Name: name, Bytes: bytes})
	return len(g.job.Buffers) - 1
}

// stateLen is the number of coordinates.
func (g *generator) stateLen() int {
	n := 0
	for i := range g.Spec.Params {
		n += g.Spec.Params[i].StateLen(g.Dims)
	}
	return n
}

// stateAt is where a param begins in the state.
func (g *generator) stateAt(name string) int {
	at := 0
	for i := range g.Spec.Params {
		p := &g.Spec.Params[i]
		if p.Name == name {
			return at
		}
		at += p.StateLen(g.Dims)
	}
	panic("cuda: no param " + name)
}

// fixed makes the buffers that every job has, in the order of their constants.
func (g *generator) fixed() {
	n := int64(g.dim)
	velocity, thermostat := n, n
	if !g.moves() {
		velocity = 1
	}
	if g.Grain != flow.Coordinate {
		thermostat = 1
	}
	g.jumps = jumps(g.dim)
	for _, b := range []wire.Buffer{{Name: "steps", Bytes: int64(g.Ring+1) * StepBytes},
		{Name: "cursor", Bytes: 8}, {Name: "bad", Bytes: 4}, {Name: "x", Bytes: 4 * n},
		{Name: "v", Bytes: 4 * velocity}, {Name: "xi", Bytes: 4 * thermostat},
		{Name: "force", Bytes: 4 * n}, {Name: "noise", Bytes: 4 * int64(noiseLen(g.dim))},
		{Name: "jumps", Bytes: int64(len(g.jumps))},
		{Name: "rows", Bytes: 4 * int64(g.Ring) * int64(g.Rows)}} {
		g.buffer(b.Name, b.Bytes)
	}
}

func (g *generator) size(p size.Poly) int {
	n, ok := p.Eval(g.Dims)
	if !ok {
		panic(fmt.Sprintf("cuda: size %s is unknown", p))
	}
	return n
}

// at returns where a buffer of the plan is, and gives it memory when it has none.
func (g *generator) at(b *plan.Buffer) (place, error) {
	if p, ok := g.place[b]; ok {
		return p, nil
	}
	if b.Sparse {
		return place{}, refuse("the sparse %s, which may be declared dense,", b.Name)
	}
	if b.Shares != nil {
		return place{}, refuse("a change in place (%s)", b)
	}
	number := len(b.Axes) == 0
	var p place
	switch b.Where {
	case plan.State:
		p = place{buffer: X, offset: g.stateAt(b.Name)}
	case plan.Out:
		p = place{buffer: Force, offset: g.stateAt(b.Name)}
	case plan.Data:
		p = place{buffer: g.datum(b), double: number}
	default:
		width := g.size(b.Width())
		if b.Rows() {
			width *= g.Rows
		}
		bytes := int64(4)
		if number {
			bytes = 8
		}
		p = place{buffer: g.buffer(b.String(), bytes*int64(width)), double: number}
	}
	g.place[b] = p
	return p, nil
}

// datum makes the memory of a datum, and of a datum with rows the part that gathers those of a
// minibatch.
func (g *generator) datum(b *plan.Buffer) int {
	i := slices.IndexFunc(g.Spec.Data, func(d model.Datum) bool {
		return d.Name == b.Name && d.Rows == b.Rows() && !d.Sparse
	})
	if i < 0 {
		panic("cuda: no datum " + b.Name)
	}
	if at, ok := g.column[i]; ok {
		return at
	}
	width := g.size(b.Width())
	c := Column{Datum: i, Width: width, Rows: b.Rows(), Double: len(b.Axes) == 0}
	entries := int64(width)
	if c.Rows {
		entries *= int64(g.Dims[g.Spec.RowDim])
	}
	bytes := int64(4)
	if c.Double {
		bytes = 8
	}
	c.Buffer = g.buffer(b.Name, bytes*entries)
	g.columns = append(g.columns, c)
	at := c.Buffer
	if c.Rows {
		at = g.buffer(b.Name+" of the rows", 4*int64(width)*int64(g.Rows))
		saved := g.current
		p := g.begin("gather")
		p.text = fmt.Sprintf("  int i = block * 256 + threadIdx.x;\n"+
			"  if (i < s.n * %d) {\n    int r = i / %d;\n"+
			"    %s[i] = %s[(size_t)%s[s.at * %d + r] * %d + (i - r * %d)];\n  }\n", width, width,
			g.use(at, true), g.use(c.Buffer, false), g.use(RowOrder, false), g.Rows, width, width)
		p.blocks = blocksFor(width * g.Rows)
		g.fed = append(g.fed, p)
		g.current = saved
	}
	g.column[i] = at
	return at
}

func blocksFor(entries int) int { return max(1, (entries+wire.Threads-1)/wire.Threads) }

// gradient prints the steps of the plan.
func (g *generator) gradient() error {
	for _, steps := range g.Program.Steps {
		for _, s := range steps {
			var err error
			switch {
			case s.Ode != nil:
				err = refuse("a differential equation")
			case s.Sequence != nil:
				err = refuse("a recurrence along %s", s.Sequence.Axis.Name)
			case s.Loop != nil:
				err = g.loop(s.Loop)
			default:
				err = g.kernel(s.Kernel)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// An extent is the number of entries along axes: Each, for every row if Rows.
type extent struct {
	each int
	rows bool
}

func (g *generator) extent(axes ...*ir.Axis) extent {
	e := extent{each: 1}
	for _, a := range axes {
		if a.Rows {
			e.rows = true
		} else {
			e.each *= g.size(a.Size)
		}
	}
	return e
}

// String is the extent as an expression.
func (e extent) String() string {
	switch {
	case !e.rows:
		return fmt.Sprint(e.each)
	case e.each == 1:
		return "s.n"
	}
	return fmt.Sprintf("(s.n * %d)", e.each)
}

// most is the largest value of an extent.
func (g *generator) most(e extent) int {
	if e.rows {
		return e.each * g.Rows
	}
	return e.each
}

// fits refuses arrays whose entries an int does not count.
func (g *generator) fits(what string, n ...int) error {
	all := 1.0
	for _, k := range n {
		all *= float64(k)
	}
	if all >= math.MaxInt32 {
		return refuse("%s with %.0f entries", what, all)
	}
	return nil
}

// indent puts two spaces before the lines of a text.
func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"
}
