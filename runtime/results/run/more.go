package run

import (
	"slices"

	files "github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// afterGroups are the groups of a store that are computed from all its draws, once a run is
// complete.
var afterGroups = []string{"log_likelihood", "observed_data", "derived",
	trace.GeneratedGroup}

// More has the complete run in dir ask for n more draws of every chain, and returns its
// record: Continue takes them, as if the run had been interrupted. Log likelihoods that are
// stored are computed again then.
func More(dir string, t target.Target, n int64) (*Record, error) {
	unlock, err := Lock(dir)
	if err != nil {
		return nil, err
	}
	defer unlock()
	r, err := Read(dir)
	if err != nil {
		return nil, err
	}
	if err := r.more(dir, n); err != nil {
		return nil, err
	}
	if err := Room(dir, t, r); err != nil {
		return nil, err
	}
	st, err := OpenDraws(dir, r)
	if err != nil {
		return nil, err
	}
	for _, v := range st.Variables() {
		r.LogLik = r.LogLik || v.Group == "log_likelihood"
	}
	r.Status, r.Finished = Interrupted, ""
	return r, r.write(files.OS, dir)
}

// more puts n more draws into the settings.
func (r *Record) more(dir string, n int64) error {
	refuse := func(text string, args ...any) error {
		return fail(exitUsage,
			setting.Text("{more-draws} does not go with the run in %s: ")+setting.Text(text),
			append([]any{dir}, args...)...)
	}
	switch {
	case r.Optimize != nil:
		return refuse("it is a run of optimize, which has a point and no draws")
	case r.Approximate != nil:
		return refuse("draws of an approximation are weighted all together; begin a new run with " +
			"more {draws}")
	case r.Status == Failed:
		return refuse("it failed: %s", r.Error)
	case r.Status != Done:
		return refuse("it is not complete (%s); end it first: {resume} %s alone", string(r.Status), dir)
	case r.Anchored():
		return refuse("its chains are in pairs, and how wrong the draws may be was judged for " +
			"all of them together; begin a new run with more {draws}, or a larger {target-ess}")
	case r.Reservoir > 0:
		return refuse("{reservoir} stores draws that are spread evenly over the whole run; begin " +
			"a new run with more {draws}")
	case r.KeepLast > 0 && (n%r.KeepLast != 0 || r.Settings.Draws < r.KeepLast):
		k := r.KeepLast
		if r.Settings.Draws < k {
			return refuse("{keep} last=%d keeps more than its %d draws; begin a new run with "+
				"more {draws}", k, r.Settings.Draws)
		}
		return refuse("with {keep} last=%d more draws are a multiple of %d, such as %d", k, k,
			(n+k-1)/k*k)
	}
	r.Settings.Blocks = slices.Clone(r.Settings.Blocks)
	if err := r.Settings.More(n); err != nil {
		return classify(err)
	}
	return nil
}
