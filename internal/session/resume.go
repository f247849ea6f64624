package session

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	formats "github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// NamesData returns an error if the record of a run names no files of data.
func NamesData(dir string, r *run.Record) error {
	if r.OfProgram() {
		return Usagef("%s was made by a Go program, and names no file of its data: give them "+
			"with --data", dir)
	}
	return nil
}

// Reopen compiles the model of a run and binds its data, to resume the run. It returns an error for
// a run of another version of sgppl, since its draws may differ.
func (e *Session) Reopen(dir string) (*run.Record, *Binding, error) {
	return e.ReopenMoved(dir, "", "")
}

// ReopenMoved is Reopen for a run whose files of data have moved from the directory from to the
// directory to. Both are absolute. An empty from means that no files have moved.
func (e *Session) ReopenMoved(dir, from, to string) (*run.Record, *Binding, error) {
	if r, err := run.Read(dir); err == nil && r.Version != sgppl.Version {
		return nil, nil, Usagef("%s was made by sgppl %s, this is %s: draws may differ between "+
			"versions; use that version, or start a new run", dir, r.Version, sgppl.Version)
	}
	return e.rebind(dir, from, to)
}

// Rebind compiles the model of a run and binds its data as they were, to look at its draws.
func (e *Session) Rebind(dir string) (*run.Record, *Binding, error) {
	return e.rebind(dir, "", "")
}

func (e *Session) rebind(dir, from, to string) (*run.Record, *Binding, error) {
	r, src, err := OpenRun(dir)
	if err != nil {
		return nil, nil, err
	}
	if r.OfProgram() {
		return nil, nil, Usagef("%s was made by a Go program, and names no file of its data: it "+
			"cannot go on", dir)
	}
	inputs := slices.Clone(r.Inputs)
	if from != "" {
		for i, spec := range inputs {
			inputs[i] = moved(spec, from, to)
		}
	}
	b := recorded(r, inputs)
	b.Gibbs = r.Settings.Sampler == "gibbs"
	if b.Labels, err = run.Labels(dir, r); err != nil {
		return nil, nil, OwnStatus(err)
	}
	if err := b.reopenRows(e, dir, r); err != nil {
		return nil, nil, err
	}
	if b.Rows != nil && from != "" {
		b.Rows.Plan.Moved(func(text string) string { return moved(text, from, to) })
	}
	if err := b.Compile(e, src); err != nil {
		return nil, nil, err
	}
	if err := b.Bind(e); err != nil {
		return nil, nil, err
	}
	if err := SameData(r.Data, b.Bound.Files); err != nil || r.HeldOut == nil {
		return r, b, err
	}
	if err := b.HoldOut(e, "--held-out", r.HeldOut.Inputs, r.Set); err != nil {
		return nil, nil, err
	}
	return r, b, SameData(r.HeldOut.Data, b.Held.Bound.Files)
}

// recorded returns a binding with the options of the model and of its data in a record.
func recorded(r *run.Record, inputs []string) *Binding {
	return &Binding{
		Ran: Recorded(r),
		Given: Given{Data: inputs, Set: r.Set, Axis: r.RowDim, Precision: r.Precision,
			Levels: r.Levels, NA: r.NA},
		How: How{Sampled: r.Sampled, Charts: r.Charts},
	}
}

// Recorded returns the constants of a run. A run without keys has the names that models have by
// default; one by full conditionals has others, so its constants are computed from its data anew.
func Recorded(r *run.Record) driver.Recorded {
	if r.ConstantKeys == nil && r.Settings.Sampler == "gibbs" {
		return driver.Recorded{}
	}
	return driver.Recorded{Values: r.Values(), Keys: r.ConstantKeys}
}

// CompiledOf compiles the model of a run as it was. It reads no data.
func (e *Session) CompiledOf(dir string) (*driver.Compiled, error) {
	r, src, err := OpenRun(dir)
	if err != nil {
		return nil, err
	}
	b := recorded(r, nil)
	if err := b.Compile(e, src); err != nil {
		return nil, err
	}
	return b.Compiled, nil
}

// moved is a path, or a spec of --data with its path, of a file in the directory from, as it
// is in the directory to; others stay.
func moved(text, from, to string) string {
	name, path := "", text
	if k := strings.IndexByte(text, '='); k > 0 && !strings.HasPrefix(text, from) {
		name, path = text[:k+1], text[k+1:]
	}
	if rest, is := strings.CutPrefix(path, from+string(filepath.Separator)); is {
		return name + filepath.Join(to, rest)
	}
	return text
}

// OpenRun reads the record and the model of a run. It accepts runs of older versions of sgppl and
// refuses runs of later ones, whose files it may not understand.
func OpenRun(dir string) (*run.Record, *source.File, error) {
	r, err := run.Read(dir)
	if err != nil {
		return nil, nil, OwnStatus(err)
	}
	if later(r.Version, sgppl.Version) {
		return nil, nil,
			Usagef("%s was made by sgppl %s, which is later than this, %s: use that version", dir,
				r.Version, sgppl.Version)
	}
	if r.Fold != "" {
		return nil, nil, Usagef("%s is a part of a cross-validation (%s), fitted to some of the "+
			"rows: go on with sgppl cv, and look at it with sgppl summary", dir, r.Fold)
	}
	text, err := run.ReadModel(dir, r)
	if err != nil {
		return nil, nil, OwnStatus(err)
	}
	return r, source.New(r.Source, text), nil
}

// SameData returns an error if the files of data differ from those of the run. Their order does not
// matter.
func SameData(then, now []formats.Fingerprint) error {
	var changed []string
	left := slices.Clone(now)
	for _, f := range then {
		at := slices.IndexFunc(left,
			func(g formats.Fingerprint) bool { return f.SHA256 == g.SHA256 && f.Bytes == g.Bytes })
		if at < 0 {
			changed = append(changed, f.Name)
			continue
		}
		left = slices.Delete(left, at, at+1)
	}
	if len(changed) > 0 || len(left) > 0 {
		return Failf(ExitData, "%s",
			fmt.Sprintf(
				"the data changed since the run began: %s; put the files back, or start a new run",
				strings.Join(changed, ", ")))
	}
	return nil
}

// DataErrors prints errors of data and returns an error with the exit status of the first.
func (e *Session) DataErrors(errs []*data.Error) error {
	for _, err := range errs {
		fmt.Fprintln(e.Stderr, err.Error())
	}
	return &ExitError{Code: errs[0].Exit()}
}

// later reports whether version a comes after version b: by the numbers in front, as in
// v1.2.3 and 0.1.0-dev, of which the one with a word behind them comes first.
func later(a, b string) bool {
	x, wordX := versionOf(a)
	y, wordY := versionOf(b)
	if c := slices.Compare(x, y); c != 0 {
		return c > 0
	}
	return wordX == "" && wordY != ""
}

// versionOf cuts a version into its numbers and the word behind them.
func versionOf(text string) (numbers []int, word string) {
	text, word, _ = strings.Cut(strings.TrimPrefix(text, "v"), "-")
	for part := range strings.SplitSeq(text, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			break
		}
		numbers = append(numbers, n)
	}
	return numbers, word
}
