package session

import (
	"errors"
	"maps"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/engine/data"
	formats "github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/stream"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// RowsOptions say how a binding reads rows as they are needed.
type RowsOptions struct {
	Block, Window int
	Follow, Cache bool         // rows may be appended; are stored as numbers
	Dir           string       // of the run, next to which compressed rows are stored
	Plan          *stream.Plan // of a run that is resumed; made otherwise
	Source        *stream.Source
	settled       bool // the run has taken what is stored
}

// readRows reads the data of a binding except for the rows, and opens these.
func (b *Binding) readRows(e *Session, set []string) error {
	if err := b.Compiled.ByRows(); err != nil {
		return Usagef("--stream: %v", err)
	}
	if err := b.Compiled.Grows(); err != nil &&
		(b.Rows.Follow || b.Rows.Plan != nil && b.Rows.Plan.Follow) {
		return Usagef("--follow: %v", err)
	}
	if b.NA != "" && (b.Rows.Follow || b.Rows.Plan != nil && b.Rows.Plan.Follow) {
		return Usagef("--na %s: of rows that are appended during the run none can be left out; "+
			"leave them out of the file", b.NA)
	}
	schema, dim := &b.Compiled.Spec.Schema, b.Compiled.Spec.RowDim
	probe := formats.Probe
	if b.Rows.Plan != nil {
		probe = b.Rows.Plan.Probe
	}
	files, errs := data.NewRowBinder(schema, b.Data, dim, probe)
	if errs != nil {
		for _, err := range errs {
			if strings.Contains(err.Message, "is a pipe") {
				err.Notes = append(err.Notes,
					"--stream reads rows more than once, from places all over the file: write "+
						"them to a file first; .gz and .bz2 will do")
			}
		}
		return e.DataErrors(errs)
	}
	if len(files.Files) == 0 {
		return Usagef("--stream: no --data has an input along %s", dim)
	}
	stored := b.Compiled.Spec.Stored()
	if len(stored) > 0 && b.Rows.Follow {
		return Usagef("--follow: the rows of %s are gone through entry by entry, and one that is "+
			"appended may have more entries than all before", stored[0])
	}
	if b.Rows.Plan == nil {
		labels, errs := data.GivenNames(schema, b.Names, b.Labels)
		if errs != nil {
			return e.DataErrors(errs)
		}
		p, notes, errs := stream.Make(schema, files, dim, stream.Options{
			Given: data.GivenSizes(schema, set, b.Names, b.Labels), Block: b.Rows.Block,
			Window: b.Rows.Window, Spool: b.Rows.Scratch(), Follow: b.Rows.Follow,
			Cache: b.Rows.Cache, Stored: stored, Disk: e.Disk,
			Labels: labels, Levels: b.Levels, NA: b.NA,
			Fits: func(bytes float64, what string) error {
				return run.Fits(b.Rows.Dir, bytes, what)
			}})
		for _, n := range notes {
			e.Note("%s", n)
		}
		if errs != nil {
			return e.DataErrors(errs)
		}
		for i, s := range p.Specs {
			p.Specs[i] = absolute(s)
		}
		b.Rows.Plan = p
	} else if err := b.restoreRows(e, files); err != nil {
		return err
	}
	p := b.Rows.Plan
	var names []string
	for _, f := range files.Files {
		names = append(names, f.Path)
	}
	bound, notes, errs := data.Bind(schema, files.Rest, set,
		data.Options{Fixed: b.Fixed, Absent: append(files.Inputs, b.Absent...), Names: b.Names,
			Labels: streamed(p.Labels, b.Labels, b.Names), Levels: b.Levels, NA: b.NA,
			Rows: p.Dims, RowsFrom: "the rows of " + strings.Join(names, " and ")})
	for _, n := range notes {
		e.Note("%s", n)
	}
	if errs != nil {
		return e.DataErrors(errs)
	}
	bound.Files = append(p.Prints(), bound.Files...)
	if b.Rows.Source, errs = stream.Open(p, schema, bound.Values); errs != nil {
		return e.DataErrors(errs)
	}
	if g := p.Gaps; g.Rows > 0 {
		if bound.Dropped == nil {
			bound.Dropped = map[string]data.Dropped{}
		}
		bound.Dropped[dim] = data.Dropped{Rows: g.Rows, Of: g.Of, By: g.By}
	}
	b.Bound = bound
	return nil
}

// streamed returns the known names together with the levels of the rows of a plan, except for dims
// that --names names.
func streamed(levels, known map[string][]string, names []string) map[string][]string {
	out := maps.Clone(levels)
	if out == nil {
		out = map[string][]string{}
	}
	maps.Copy(out, known)
	for _, text := range names {
		dim, _, _ := strings.Cut(text, "=")
		delete(out, strings.TrimSpace(dim))
	}
	return out
}

// bindRows makes the target of data whose rows are read as they are needed.
func (b *Binding) bindRows(e *Session) error {
	memory.Tight()
	var err error
	b.Target, err = b.Compiled.Stream(b.Bound, b.Constants, b.Rows.Source)
	var errs stream.Errors
	switch {
	case errors.As(err, &errs):
		return e.DataErrors(errs)
	case err != nil:
		return Failf(ExitData, "%v", err)
	}
	return nil
}

// Index is what a run directory keeps of where the rows are.
func (b *Binding) Index(r *run.Record, dir string) error {
	if b.Rows == nil {
		return nil
	}
	r.Stream = true
	var err error
	if r.Index, err = b.Rows.Plan.In(spoolDir(dir)).Marshal(); err != nil {
		return Failf(ExitFiles, "%v", err)
	}
	return nil
}

// reopenRows reads the index of a run that reads its rows as they are needed.
func (b *Binding) reopenRows(e *Session, dir string, r *run.Record) error {
	if !r.Stream {
		return nil
	}
	text, err := disk.ReadInput(run.IndexPath(dir))
	if err != nil {
		return Failf(ExitFiles, "the index of the rows cannot be read: %v", err)
	}
	b.Rows = &RowsOptions{Dir: dir}
	if b.Rows.Plan, err = stream.Unmarshal(text); err != nil {
		return OwnStatus(err)
	}
	b.Rows.Plan.On(e.Disk)
	return nil
}
