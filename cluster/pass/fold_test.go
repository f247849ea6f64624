package pass_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/cluster/front"
	"github.com/sgppl/sgppl/cluster/pass"
)

// kindsOf counts the tasks of the passes of a run by kind.
func kindsOf(t *testing.T, e *pass.Env) map[string]int {
	t.Helper()
	list, err := e.Passes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	for _, s := range list {
		out[s.Kind] += s.Tasks
	}
	return out
}

// Large results are added up by tasks, in the order of the shards: the sums are those of the
// driver to rounding, and have the same bits for any workers, order and attempts. A result that
// is damaged is made again.
func TestFoldsByTasks(t *testing.T) {
	straightRows := rows(t, 1500)
	for name, c := range map[string]struct {
		model, data string
		folds       int // passes over shards that find the same
	}{"same sizes": {straight, straightRows, 1}, "other words": {groupMeans, groups(t, 3400), 2}} {
		most := int64(400)
		plain := runOf(t, "mem://"+t.TempDir(), c.model, c.data, most)
		want := whole(t, plain, front.Loop{Workers: 2}, pass.Statistics)
		n := len(plain.Run.Manifest.Shards)
		if k := kindsOf(t, plain); n <= 2*64 || k["fold"] != 0 || k["statistics"] != c.folds*n {
			t.Fatalf("%s: %d shards, %v", name, n, k)
		}
		undo := pass.LargeFold(1)
		first := ""
		for _, workers := range []int{1, 2} {
			e := runOf(t, t.TempDir(), c.model, c.data, most)
			got := whole(t, e, twice{workers}, pass.Statistics)
			if k := kindsOf(t, e); k["fold"] != c.folds*((n+63)/64) {
				t.Errorf("%s: %v", name, k)
			}
			d := got.Target.Dim()
			x, g, h := make([]float64, d), make([]float64, d), make([]float64, d)
			for i := range x {
				x[i] = 0.3 * float64(i%3)
			}
			f := got.Target.NewEvaluator(1).LogDensityGradient(x, nil, 1, 1, g)
			if k := want.Target.NewEvaluator(1).LogDensityGradient(x, nil, 1, 1, h); math.Abs(f-k) >
				1e-10*math.Abs(k) || got.Target.Rows() != want.Target.Rows() {
				t.Errorf("%s: log density %v of %d rows, and %v of %d", name, f, got.Target.Rows(), k,
					want.Target.Rows())
			}
			if text := fmt.Sprintf("%x %x", f, g); first == "" {
				first = text
			} else if text != first {
				t.Errorf("%s: the bits depend on the workers", name)
			}
			damage(t, e, "pass/001-statistics/000070.bin")
			for _, suffix := range []string{".done", ".bin"} {
				if err := e.Bucket.Delete(t.Context(), "pass/002-fold/000001"+suffix); err != nil {
					t.Fatal(err)
				}
			}
			again := whole(t, e, front.Loop{Workers: 1}, pass.Statistics)
			f = again.Target.NewEvaluator(1).LogDensityGradient(x, nil, 1, 1, g)
			if text := fmt.Sprintf("%x %x", f, g); text != first {
				t.Errorf("%s: after damage other sums", name)
			}
		}
		undo()
	}
}

// groupMeans has a likelihood that collapses by groups, which are words.
const groupMeans = `dim N, J
data g[N] : index[J]
data x[N] : real
data y[N] : bool
param a[J] : real ~ normal(0, 2)
for n in N { x[n] ~ normal(a[g[n]], 1) }
`

// damage flips a bit of an object.
func damage(t *testing.T, e *pass.Env, name string) {
	t.Helper()
	b, err := e.Bucket.Get(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 4
	if err := e.Bucket.Put(t.Context(), name, b); err != nil {
		t.Fatal(err)
	}
}

// The passes of a surrogate whose second orders are added up by tasks have the same bits for any
// workers, and other passes have the same numbers as without.
func TestSurrogateFoldsByTasks(t *testing.T) {
	data := groups(t, 2600)
	defer pass.LargeFold(1)()
	var got []uint64
	for _, by := range []pass.Front{front.Loop{Workers: 1}, twice{2}} {
		e := runOf(t, t.TempDir(), intercepts, data, 600)
		got = append(got, digest(surrogateOf(t, e, by)))
		if k := kindsOf(t, e); k["fold"] == 0 || k["fold"] != 2*k["gradient"]/k["pilot"] {
			t.Errorf("%v", k) // two tasks for each pass of gradients
		}
	}
	if got[0] != got[1] {
		t.Errorf("draws differ: %x", got)
	}
}

// What a pass comes to: a sum of checks of all results that is the same for the same run, and
// numbers. A pass with a task that is not done, or with a result that is damaged, has none.
func TestFold(t *testing.T) {
	data := groups(t, 1500)
	var sums []string
	for _, by := range []pass.Front{front.Loop{Workers: 2}, twice{1}} {
		e := runOf(t, t.TempDir(), intercepts, data, 8000)
		surrogateOf(t, e, by)
		all := ""
		list, err := e.Passes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range list {
			s, err := e.Fold(t.Context(), p.Dir)
			if err != nil {
				t.Fatal(err)
			}
			if s.Tasks != p.Tasks || s.Rows != 1500 || s.Bytes == 0 {
				t.Errorf("%+v", s)
			}
			all += s.SHA256
			named := map[string]float64{}
			for _, v := range s.Values {
				named[v.Name] = float64(v.Value)
			}
			switch s.Kind {
			case "gradient":
				if l := named["log_likelihood"]; named["unknowns"] != 18 || l > -700 || l < -1100 ||
					named["curvature_least"] > named["curvature_most"] {
					t.Errorf("%v", named)
				}
			case "leverage":
				if l := named["leverages"]; l < 8 || l > 40 || named["taken"] < 100 {
					t.Errorf("%v", named)
				}
			case "check":
				if l := named["log_likelihood_most"]; named["states"] != 400 || l > -700 || l < -1100 ||
					named["log_likelihood_least"] > l {
					t.Errorf("%v", named)
				}
			}
		}
		sums = append(sums, all)
		dir := list[1].Dir
		damage(t, e, dir+"/000001.bin")
		for range 2 {
			_, err = e.Fold(t.Context(), dir)
			none := (*pass.UnfinishedError)(nil)
			if !errors.As(err, &none) || none.Tasks != 1 || none.First.Index != 1 {
				t.Errorf("damaged: %v", err)
			}
		}
		surrogateOf(t, e, by)
		if s, err := e.Fold(t.Context(), dir); err != nil || !strings.Contains(all, s.SHA256) {
			t.Errorf("%+v, %v", s, err)
		}
	}
	if sums[0] != sums[1] {
		t.Error("two runs have other check sums")
	}
}

// The pass of a row that is malformed has no fold, and the error is that of the row.
func TestFoldFailed(t *testing.T) {
	data := rows(t, 100)
	text, err := os.ReadFile(data)
	if err != nil {
		t.Fatal(err)
	}
	e := env(t, "mem://"+t.TempDir(), rowsFile(t, string(text)+"c1,0.5,oops,1\n"), 1500)
	draws(t, e)
	if _, err := pass.ScoreOf(t.Context(), e, front.Loop{Workers: 1}, 1); err == nil {
		t.Fatal("a malformed row is taken")
	}
	permanent := (*pass.Permanent)(nil)
	if _, err := e.Fold(t.Context(), "pass/001-score"); !errors.As(err, &permanent) ||
		!strings.Contains(err.Error(), `"oops"`) {
		t.Error(err)
	}
}
