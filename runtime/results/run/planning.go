package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"time"

	files "github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/tall"
	"github.com/sgppl/sgppl/runtime/infer/tall/chart"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// setupName is the name of the file with the set-up of a run by minibatches with an anchor. The
// chains start from this set-up. The file is written once, before the record that names it.
const setupName = "setup.bin"

// Planning reports whether a run has not chosen yet how to sample: its settings allow an anchor,
// and it has no plan.
func (r *Record) Planning() bool {
	return r.Optimize == nil && r.Settings.Anchored() && r.Tuning == nil
}

// Anchored reports whether a run has a plan to sample by minibatches with an anchor and by pairs of
// chains.
func (r *Record) Anchored() bool {
	return r.Optimize == nil && r.Tuning != nil && r.Tuning.Minibatches &&
		settings.InPairs(r.Settings.Sampler)
}

// tallSettings returns the settings of package tall for a run. If the run has a plan already, the
// step, friction and batch in its settings are the values of that plan.
func tallSettings(t target.Target, r *Record) tall.Settings {
	c := &r.Settings
	s := tall.Settings{Seed: c.Seed, Chains: c.Chains, TargetESS: c.TargetESS, MaxBias: c.MaxBias,
		Init: c.Init, Radius: c.InitRadius,
		Step: c.Step, Friction: c.Friction, Batch: c.Batch, Even: c.BatchOrder == "replace",
		Anyway: !r.Auto() || c.Batch > 0 || streams(t)}
	if c.Anchor != "auto" {
		s.Anchor = c.Anchor
	}
	if c.TargetESS == 0 {
		s.Draws = int(c.Draws)
	}
	if !settings.InPairs(c.Sampler) { // with its own numbers
		s.Step, s.Friction, s.Batch, s.Even = 0, 0, 0, c.BatchOrder != "size"
	}
	if s.Radius == 0 { // the origin; 0 there is the default
		s.Radius = math.SmallestNonzeroFloat64
	}
	if of, ok := t.(interface{ PassCost() float64 }); ok {
		s.FullCost = of.PassCost()
	}
	s.Curved = chart.Curved(t)
	return s
}

// Auto reports whether the run chose its sampler itself.
func (r *Record) Auto() bool { return r.Chosen || r.Settings.Sampler == "auto" }

// plan chooses how a run samples and writes the choice into the record: minibatches with an anchor,
// whose set-up is stored in a file, or full passes. The plan is a function of model, data and
// settings, so a process that replaces a killed one finds the same plan.
func plan(
	ctx context.Context, on files.FS, w Work, t target.Target, r *Record, now func() time.Time,
	say func(Event),
) error {
	set := tallSettings(t, r)
	began := now()
	ctx = tall.WithPhases(ctx, func(words string) {
		say(Event{Event: "phase", Text: "set-up: " + words, Seconds: now().Sub(began).Seconds()})
	})
	var s *tall.Setup
	var err error
	if tall.CheapPasses(t.Rows(), set) {
		s = &tall.Setup{Plan: tall.Plan{Rows: t.Rows(), Dim: t.Dim(), Modes: 1, Anchor: "none",
			Reason: "a full pass costs less than a few minibatches"}}
		if of, ok := t.(interface{ PassNote() string }); ok && of.PassNote() != "" {
			s.Plan.Reason += ", " + of.PassNote()
		}
	} else if s, err = tall.Prepare(ctx, t, set, loop.Options{Threads: w.Threads}); err != nil {
		var refusal *tall.Refusal
		if !errors.As(err, &refusal) {
			return err
		}
		s.Plan.Minibatches = false
	}
	if r.Settings.TimeLimit > 0 && !streams(t) && !s.Plan.Minibatches && r.Auto() {
		say(Event{Event: "note",
			Text: setting.Text("{time} does not end full passes: their run takes the draws that " +
				"it was begun with")})
	}
	r.SetupSeconds, r.Fixed = now().Sub(began).Seconds(), set.Step > 0 || set.Batch > 0
	if !s.Plan.Minibatches {
		if !r.Auto() {
			return fail(exitRun,
				setting.Text("{anchor} %s: %s; {sampler} auto chooses another way"),
				r.Settings.Anchor, s.Plan.Reason)
		}
		return fullPasses(on, w.Dir, t, r, &s.Plan)
	}
	b, err := s.MarshalBinary()
	if err != nil {
		return fail(exitFiles, "%s: %v", setupName, err)
	}
	if err := files.WriteFile(on, filepath.Join(w.Dir, setupName), b); err != nil {
		return disk(err)
	}
	if r.Files == nil {
		r.Files = map[string]string{}
	}
	r.Files[setupName] = digestOf(b)
	r.Chosen = r.Auto()
	if !settings.InPairs(r.Settings.Sampler) {
		if err := adoptWhitened(t, r, s); err != nil {
			return classify(err)
		}
		return r.write(on, w.Dir)
	}
	if _, err := adopt(t, r, s, true); err != nil {
		return fail(exitRun, "%v", err)
	}
	return r.write(on, w.Dir)
}

// streams reports whether a target has no full passes, since it reads its rows as they are needed.
func streams(t target.Target) bool { return !target.FullPasses(t) }

// fullPasses changes a run to sample from all rows, by nuts, or by gmc where a block is curved. A
// run that streams its rows changes to minibatches without an anchor.
func fullPasses(on files.FS, dir string, t target.Target, r *Record, p *tall.Plan) error {
	c, err := r.Settings.WithoutAnchor(t).Resolve(t)
	if err != nil {
		return classify(err)
	}
	p.Minibatches = false
	r.Tuning, r.Settings, r.Chosen = p, c, true
	return r.write(on, dir)
}

// adopt copies the values of a plan into the settings of a run and returns its chains. fresh means
// that the chains start without checkpoints.
func adopt(t target.Target, r *Record, s *tall.Setup, fresh bool) (*tall.Run, error) {
	c := &r.Settings
	r.Take(t, s.Plan)
	if fresh && c.TargetESS > 0 { // by these the store cuts draws into files; see openRounds
		c.Draws = sampler.DefaultConfig().Draws
	}
	chains, err := tall.NewRun(t, s, tallSettings(t, r))
	if err != nil {
		return nil, err
	}
	c.Warmup = chains.Warmup()
	return chains, nil
}

// readSetup reads the set-up of a run from its file and refines it as often as the run was started
// again.
func readSetup(on files.FS, dir string, r *Record) (*tall.Setup, error) {
	path := filepath.Join(dir, setupName)
	b, err := files.ReadFile(on, path)
	if err != nil {
		return nil, fail(exitFiles, "%v", err)
	}
	if err := r.once(setupName, b); err != nil {
		return nil, fail(exitFiles, "%s is damaged: %v", path, err)
	}
	s := &tall.Setup{}
	if err := s.UnmarshalBinary(b); err != nil {
		return nil, fail(exitFiles, "%s is damaged: %v", path, err)
	}
	for _, by := range r.Tuning.Refined {
		s = s.Refine(by)
	}
	return s, nil
}

// again decides how a run continues after an attempt that ended with err, which may be nil. If the
// draws are biased or no draws could be taken, it may remove the checkpoints and change the run to
// less noise and a smaller step, or to full passes; it returns true then. It returns false if the
// draws stay as they are.
func again(on files.FS, dir string, t target.Target, r *Record, err error) (bool, error) {
	next := r.Tuning.Next(err, r.Auto(), r.Fixed)
	if errors.As(err, new(*tall.Biased)) && next == tall.Passes && streams(t) {
		next = tall.Stays // minibatches without an anchor give no bound of the bias
	}
	switch next {
	case tall.Ended:
		return false, err
	case tall.Stays:
		return false, nil
	case tall.Fails:
		return false, fail(exitRun, "%v", err)
	}
	// First the checkpoints: a process that dies between begins this attempt once more.
	for k := range r.Chains {
		if err := on.Remove(trace.CheckpointPath(dir, k)); err != nil &&
			!errors.Is(err, fs.ErrNotExist) {
			return false, disk(err)
		}
		r.Chains[k] = Chain{Seconds: r.Chains[k].Seconds}
	}
	if err := on.SyncDir(dir); err != nil {
		return false, disk(err)
	}
	if next == tall.Passes {
		p := *r.Tuning
		p.Reason = "draws by minibatches with an anchor are off, " + err.Error()
		if p.Attempt > 0 {
			p.Reason += fmt.Sprintf(", after %d attempts with less noise and a smaller step too",
				p.Attempt)
		}
		return true, fullPasses(on, dir, t, r, &p)
	}
	s, e := readSetup(on, dir, r)
	if e != nil {
		return false, e
	}
	if _, err := adopt(t, r, s.Refined(err), true); err != nil {
		return false, fail(exitRun, "%v", err)
	}
	return true, r.write(on, dir)
}

// Words describes in lines of text how a run samples and why. axis is the name of the row axis.
func (r *Record) Words(axis string) []string {
	p := r.Tuning
	if p == nil {
		return nil
	}
	if !p.Minibatches {
		lines := []string{fmt.Sprintf("sampler %s on all %d rows of %s, %d draws of each chain: %s",
			r.Settings.Sampler, p.Rows, axis, r.Settings.Draws, p.Reason)}
		if !r.Settings.FullBatch {
			lines[0] = fmt.Sprintf("sampler %s on minibatches of %d of the %d rows of %s, "+
				"without an anchor: %s; rows that are read as they are needed have no full passes",
				r.Settings.Sampler, r.Settings.Batch, p.Rows, axis, p.Reason)
		}
		if r.Fixed {
			lines = append(lines,
				setting.Text("{step}, {batch} and {friction} are of minibatches with an anchor: ")+
					r.Settings.Sampler+" has found or finds its own")
		}
		return lines
	}
	how := map[string]string{"size": "by size", "replace": "evenly", "shuffle": "in passes",
		"sequential": "in order"}[p.Order]
	always := ""
	if p.Always > 0 {
		always = fmt.Sprintf(", %d rows always", p.Always)
	}
	if r.Whitened() {
		return r.wordsOfWhitened(axis, how, always)
	}
	head := fmt.Sprintf("sampler %s: minibatches with an anchor (%d rows of %s)",
		r.Settings.Sampler, p.Rows, axis)
	if r.Chosen {
		head = fmt.Sprintf("sampler auto: minibatches with an anchor (%d rows of %s; %s would "+
			"take about %.3g times as many rows)", p.Rows, axis, p.FullPasses,
			p.CostNUTS/p.CostDraws)
	}
	each := "a draw a step"
	if p.Every > 1 {
		each = fmt.Sprintf("a draw every %d steps", p.Every)
	}
	return []string{head,
		fmt.Sprintf("tuning: batch %d of %s %s%s; step %.3g, friction %.3g, %s; metric %s; "+
			"anchor at the %s", p.Batch, axis, how, always, p.Step, p.Friction, each, p.Metric,
			p.Anchor),
		fmt.Sprintf("set-up: %.3g passes over the rows, %.3g s", p.SetUp, r.SetupSeconds)}
}

// Forecast returns a line with the predicted number of row gradients of a run by minibatches with
// an anchor; "" for other runs.
func (r *Record) Forecast() string {
	p := r.Tuning
	if p == nil || !p.Minibatches || r.Whitened() {
		return ""
	}
	return fmt.Sprintf("forecast: %.2g row gradients (%.3g passes) for draws and the bound of "+
		"their bias; %s would take %.2g (%.3g passes)",
		p.CostDraws, p.CostDraws/float64(p.Rows), p.FullPasses, p.CostNUTS,
		p.CostNUTS/float64(p.Rows))
}

// Unsettled reports whether the run in a directory ended during its set-up. Such a run has no
// draws, and repeats the set-up when it is resumed.
func Unsettled(dir string) bool {
	r, err := ReadOn(files.OS, dir)
	if err != nil {
		return false
	}
	_, missing := os.Lstat(Draws(dir))
	return r.Planning() && missing != nil
}
