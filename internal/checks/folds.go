package checks

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// Folds says how the model of a run is cross-validated: fitted again without each part of its rows.
type Folds struct {
	Dir       string   // of the run
	Data      []string // the data of the run, where they are not any more what it read
	Folds     int      // 0: 10, or one for each group
	By        string   // an input whose values are the groups; "" for none
	Seed      uint64
	Out       string // of the runs of the folds
	Pointwise string // a file of every observation; "" for none
	Engine    string // auto, native or vm
	Threads   int    // 0: as many as there are processors
	Force     bool   // replace the file
	JSON      bool   // print one JSON object
}

// Run cross-validates.
func (c *Folds) Run(e *session.Session) error {
	if err := c.check(); err != nil {
		return err
	}
	v, err := c.open(e)
	if err != nil {
		return err
	}
	if err := v.sample(e, c); err != nil {
		return err
	}
	if err := v.score(e, c.Threads); err != nil {
		return err
	}
	if c.Pointwise != "" {
		if err := v.pointwise(c.Pointwise); err != nil {
			return session.FilesError(err)
		}
	}
	return v.print(e, c.JSON)
}

func (c *Folds) check() error {
	switch {
	case c.Folds < 0 || c.Folds == 1:
		return session.Usagef("--folds %d: at least 2", c.Folds)
	case c.Pointwise != "" && !strings.HasSuffix(c.Pointwise, ".csv"):
		return session.Usagef("--pointwise %s: the file ends in .csv", c.Pointwise)
	case c.Pointwise != "":
		return session.RefuseExisting(c.Pointwise, c.Force)
	}
	return nil
}

// A validation is a cross-validation by folds.
type validation struct {
	of     string // the run
	dir    string // of the folds
	record *run.Record
	whole  *session.Binding // to fit
	likely *session.Loglik  // to score, by rows of all data
	fold   []int            // of every row
	folds  []foldRun
	by     string
	elpd   []float64 // of every row
}

// A foldRun is the run of a fold.
type foldRun struct {
	dir    string
	record *run.Record
	seed   uint64
	left   []int // the rows that it leaves out
	elpd   float64
}

// open reads the run and folds its rows.
func (c *Folds) open(e *session.Session) (*validation, error) {
	r, err := run.Read(c.Dir)
	if err != nil {
		return nil, session.OwnStatus(err)
	}
	switch {
	case r.Optimize != nil:
		return nil, session.Usagef("%s is a run of optimize: it has a point, and "+
			"cross-validation needs draws of the posterior", c.Dir)
	case r.Stream:
		return nil, session.Usagef("%s reads its rows from files as they are needed; "+
			"cross-validation needs them in memory. sgppl score scores rows that were held out",
			c.Dir)
	case r.Tuning != nil && r.Tuning.Minibatches:
		return nil, session.Usagef("%s took minibatches with an anchor, whose plan is for its "+
			"rows; sgppl loo cross-validates it, or sample with a --sampler and a --batch", c.Dir)
	}
	r, l, err := Observations(e, c.Dir, c.Data, "")
	if err != nil {
		return nil, err
	}
	if l.Axis == "" {
		return nil, session.Failf(session.ExitModel,
			"rows cannot be left out: the model has no axis that can be taken by rows; sgppl loo "+
				"leaves out single entries")
	}
	b := &session.Binding{Given: session.Given{Data: r.Inputs, Set: r.Set, Axis: r.RowDim,
		Precision: r.Precision, Levels: r.Levels, NA: r.NA},
		How: session.How{Sampled: r.Sampled, Charts: r.Charts}, Labels: l.B.Labels}
	if len(c.Data) > 0 {
		b.Data = c.Data
	}
	if err := b.Compile(e, l.B.Src); err != nil {
		return nil, err
	}
	if err := b.Bind(e); err != nil {
		return nil, err
	}
	if err := b.ByRowsAlone(); err != nil {
		return nil, err
	}
	v := &validation{of: c.Dir, dir: c.Out, record: r, whole: b, likely: l, by: c.By}
	if v.dir == "" {
		v.dir = filepath.Clean(c.Dir) + "-cv"
	}
	return v, v.divide(c)
}

// divide puts every row into a fold: at random, all of a group together.
func (v *validation) divide(c *Folds) error {
	groups := make([]int, v.likely.N)
	n, folds := len(groups), c.Folds
	if c.By == "" {
		for i := range groups {
			groups[i] = i
		}
		if folds == 0 {
			folds = min(10, n)
		}
	} else {
		var err error
		if groups, n, err = v.groups(c.By); err != nil {
			return err
		}
		if folds == 0 {
			folds = n
		}
	}
	if n < folds || n < 2 {
		return session.Failf(session.ExitData, "--folds %d: there are %d %s to be put into folds",
			folds, n, map[bool]string{true: "rows", false: "groups"}[c.By == ""])
	}
	order := make([]int, n)
	source := rng.New(c.Seed, 0, rng.Split).At(0)
	source.Perm(order)
	of := make([]int, n)
	for i, g := range order {
		of[g] = i % folds
	}
	if c.By != "" && folds == n { // a fold a group, in the order of the groups
		for g := range of {
			of[g] = g
		}
	}
	v.fold, v.folds = make([]int, len(groups)), make([]foldRun, folds)
	for i, g := range groups {
		v.fold[i] = of[g]
		v.folds[of[g]].left = append(v.folds[of[g]].left, i)
	}
	for k := range v.folds {
		f := &v.folds[k]
		f.dir = filepath.Join(v.dir, fmt.Sprintf("fold-%d", k))
		seeds := rng.New(c.Seed, k, rng.Split).At(1)
		f.seed = seeds.Uint64() >> 11 // which JSON can hold
	}
	return nil
}

// groups numbers the values of an input along the rows.
func (v *validation) groups(name string) (of []int, n int, err error) {
	spec := v.whole.Compiled.Spec
	in := spec.Schema.Input(name)
	if in == nil {
		return nil, 0, session.Usagef("--by %s: the model has no input of that name", name)
	}
	x := v.whole.Bound.Values[name]
	if len(in.Shape) != 1 || !in.Shape[0].Mentions(spec.RowDim) || x == nil || x.CSR != nil ||
		in.Kind == data.Real && in.Unknown {
		return nil, 0,
			session.Usagef("--by %s: one value for each row of %s is expected, and it is %s", name,
				spec.RowDim, in.Type())
	}
	values := x.Floats()
	distinct := slices.Compact(slices.Sorted(slices.Values(values)))
	for _, y := range values {
		at, _ := slices.BinarySearch(distinct, y)
		of = append(of, at)
	}
	return of, len(distinct), nil
}
