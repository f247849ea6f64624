package pass_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/sgppl/sgppl/cluster/bucket"
	"github.com/sgppl/sgppl/cluster/front"
	"github.com/sgppl/sgppl/cluster/pass"
	"github.com/sgppl/sgppl/cluster/shards"
	"github.com/sgppl/sgppl/runtime/engine/worker"
)

const regression = `
dim N, P
data x: real[N, P], y: bool[N]
param w: real[P]
w ~ normal(0, 1)
for n in N { y[n] ~ bernoulli_logit(dot(x[n], w)) }
`

// draws puts states near the truth.
func draws(t *testing.T, e *pass.Env) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	d := &worker.Draws{Chains: 2, Each: 50, Dim: 2}
	for range d.Len() {
		d.X = append(d.X, 1+0.1*r.NormFloat64(), -0.5+0.1*r.NormFloat64())
	}
	if err := pass.PutDraws(t.Context(), e, d); err != nil {
		t.Fatal(err)
	}
}

// Scores of all rows do not depend on the shards, up to rounding, and are to the bit the same for
// any workers, orders and attempts.
func TestScore(t *testing.T) {
	data := rows(t, 400)
	whole := env(t, "mem://"+t.TempDir(), data, 1<<30)
	draws(t, whole)
	want, err := pass.ScoreOf(t.Context(), whole, front.Loop{Workers: 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if want.Rows != 400 || want.Draws != 100 || want.LPD > -0.4 || want.LPD < -0.69 ||
		want.Sites[0].Value < 0.6 {
		t.Errorf("%+v", want)
	}
	var first string
	for _, workers := range []int{1, 3} {
		e := env(t, t.TempDir(), data, 4000)
		draws(t, e)
		got, err := pass.ScoreOf(t.Context(), e, twice{workers}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got.Rows != 400 || math.Abs(got.LPD-want.LPD) > 1e-14 ||
			math.Abs(got.Sites[0].Value-want.Sites[0].Value) > 1e-14 {
			t.Errorf("%d shards: %+v, and of one %+v", len(e.Run.Manifest.Shards), got, want)
		}
		if text := fmt.Sprintf("%x %x", got.LPD, got.Sites[0].Value); first == "" {
			first = text
		} else if text != first {
			t.Errorf("%d workers: %s, and with one %s", workers, text, first)
		}
	}
}

// twice does every task twice at once, in an order of its own.
type twice struct{ workers int }

func (f twice) Run(ctx context.Context, e *pass.Env, tasks []pass.Task) error {
	r := rand.New(rand.NewPCG(uint64(f.workers), 1))
	for _, i := range r.Perm(len(tasks)) {
		var group sync.WaitGroup
		errs := make([]error, 2*f.workers)
		for k := range errs {
			group.Go(func() { errs[k] = e.Do(ctx, tasks[i]) })
		}
		group.Wait()
		if err := errors.Join(errs...); err != nil {
			return err
		}
	}
	return nil
}

// LOO sums the same over shards as over one, and the points come in the order of rows.
func TestLOO(t *testing.T) {
	data := rows(t, 300)
	var all []*pass.LOO
	for _, most := range []int64{1 << 30, 3000} {
		e := env(t, "mem://"+t.TempDir()+fmt.Sprint(most), data, most)
		draws(t, e)
		l, err := pass.LOOOf(t.Context(), e, front.Loop{Workers: 2}, 1)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	for i, p := range all[0].Points {
		if p != all[1].Points[i] {
			t.Fatalf("row %d: %v in one shard, %v in several", i, p, all[1].Points[i])
		}
	}
	if fmt.Sprint(all[0].Sum) != fmt.Sprint(all[1].Sum) || len(all[0].Points) != 300 {
		t.Errorf("%+v, %+v", all[0].Sum, all[1].Sum)
	}
}

// What is done is not done again; a damaged result is; another run in the bucket is refused.
func TestGoesOn(t *testing.T) {
	data := rows(t, 200)
	e := env(t, "mem://"+t.TempDir(), data, 2000)
	draws(t, e)
	n := len(e.Run.Manifest.Shards)
	ran := 0
	count := front.Loop{Workers: 1, Each: func(pass.Task, error) { ran++ }}
	want, err := pass.ScoreOf(t.Context(), e, count, 1)
	if err != nil || ran != n {
		t.Fatalf("%d of %d tasks, %v", ran, n, err)
	}
	ran = 0
	name := "pass/001-score/000002.bin"
	b, err := e.Bucket.Get(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 4
	if err := e.Bucket.Put(t.Context(), name, b); err != nil {
		t.Fatal(err)
	}
	again, err := pass.ScoreOf(t.Context(), e, count, 1)
	if err != nil || ran != 1 || again.LPD != want.LPD {
		t.Errorf("with a damaged result %d tasks ran: %v, %v, %v", ran, again, want, err)
	}
	other := *e.Run
	other.Model += "\n"
	if err := pass.Create(t.Context(), e.Bucket, &other); err == nil {
		t.Error("another run in the same bucket is taken")
	}
}

// A bad row in one shard: all others are done, the error has its place, and it is not tried
// again.
func TestPermanent(t *testing.T) {
	data := rows(t, 200)
	text, err := os.ReadFile(data)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	lines[120] = "c1,0.5,oops,1\n"
	if err := os.WriteFile(data, []byte(strings.Join(lines, "")), 0o666); err != nil {
		t.Fatal(err)
	}
	e := env(t, "mem://"+t.TempDir(), data, 1500)
	draws(t, e)
	for range 2 {
		ran := 0
		_, err = pass.ScoreOf(t.Context(), e,
			front.Loop{Workers: 2, Each: func(_ pass.Task, err error) {
				ran++
				if err != nil {
					t.Errorf("the front was told to try again: %v", err)
				}
			}}, 1)
		if permanent := (*pass.Permanent)(nil); !errors.As(err, &permanent) ||
			!strings.Contains(err.Error(), `"oops"`) {
			t.Errorf("%d tasks, %v", ran, err)
		}
	}
	due, err := e.Due(t.Context(), "pass/001-score", len(e.Run.Manifest.Shards))
	if err != nil || len(due) > 0 {
		t.Errorf("not done: %v, %v", due, err)
	}
}

// Each customer has the posterior of its rows, and one customer more changes no other.
func TestFleet(t *testing.T) {
	data := rows(t, 220)
	f := pass.Fleet{Key: "customer", Parts: 3, Seed: 5, Chains: 2, Warmup: 100, Draws: 100}
	run := func(name, data string, most int64) map[string]pass.Posterior {
		e := env(t, "mem://"+t.TempDir()+name, data, most)
		out := map[string]pass.Posterior{}
		err := pass.FleetOf(t.Context(), e, front.Loop{Workers: 2}, f, func(p pass.Posterior) error {
			out[p.Key] = p
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	one, many := run("one", data, 1<<30), run("many", data, 2500)
	text, err := os.ReadFile(data)
	if err != nil {
		t.Fatal(err)
	}
	longer := filepath.Join(t.TempDir(), "more.csv")
	if err := os.WriteFile(longer, append(text, "new,1,2,1\nnew,0.5,-2,1\n"...), 0o666); err != nil {
		t.Fatal(err)
	}
	more := run("more", longer, 2500)
	if len(one) != 11 || len(more) != 12 {
		t.Fatalf("%d and %d customers", len(one), len(more))
	}
	for key, p := range one {
		if p.Rows != 20 || p.Error != "" || len(p.Draws) != 32 || len(p.Params) != 2 {
			t.Errorf("%+v", p)
		}
		a, _ := json.Marshal(p)
		b, _ := json.Marshal(many[key])
		c, _ := json.Marshal(more[key])
		if string(a) != string(b) || string(a) != string(c) {
			t.Errorf("%s:\n%s\n%s\n%s", key, a, b, c)
		}
	}
}

// A flipped byte of what tasks read, and a file that all of them read whole which has
// changed, are errors.
func TestDamaged(t *testing.T) {
	data := rows(t, 100)
	for _, name := range []string{"draws.bin", "cluster.json"} {
		e := env(t, "mem://"+t.TempDir(), data, 2000)
		draws(t, e)
		n := len(e.Run.Manifest.Shards)
		if _, err := e.Ask(t.Context(), 1, "score", n, nil); err != nil {
			t.Fatal(err)
		}
		b, err := e.Bucket.Get(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if at := strings.Index(string(b), "normal"); at >= 0 {
			b[at+9] ^= 1 // a number of the model
		} else {
			b[60] ^= 1
		}
		if err := e.Bucket.Put(t.Context(), name, b); err != nil {
			t.Fatal(err)
		}
		again, err := pass.Open(t.Context(), e.Bucket, t.TempDir())
		if err == nil {
			_, err = pass.ScoreOf(t.Context(), again, front.Loop{Workers: 1}, 1)
		}
		if err == nil {
			t.Errorf("%s with a flipped bit gives a score", name)
		}
	}
	e := env(t, "mem://"+t.TempDir(), data, 2000)
	err := e.Pass(t.Context(), front.Loop{Workers: 1}, 1, "split", len(e.Run.Manifest.Shards),
		pass.Split{Key: "customer", Parts: 1}, func(int, []byte) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	name := "pass/001-split/000001.bin"
	b, err := e.Bucket.Get(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)-5] ^= 1 // a digit of a row
	if err := e.Bucket.Put(t.Context(), name, b); err != nil {
		t.Fatal(err)
	}
	f := pass.Fleet{Split: "pass/001-split", Key: "customer", Parts: 1, Chains: 1, Draws: 10}
	if err := e.Pass(t.Context(), front.Loop{Workers: 1}, 2, "fleet", 1, f,
		func(int, []byte) error { return nil }); err == nil {
		t.Error("rows with a flipped bit give posteriors")
	}
}

// A file that every task reads whole belongs to the manifest.
func TestWholeChanged(t *testing.T) {
	dir := t.TempDir()
	text, err := os.ReadFile(rows(t, 100))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"a", "b"} {
		if err := os.WriteFile(filepath.Join(dir, part+".csv"), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	shared := filepath.Join(dir, "shift.json")
	if err := os.WriteFile(shared, []byte(`{"shift": 0.5}`), 0o666); err != nil {
		t.Fatal(err)
	}
	m, err := shards.Cut(t.Context(), []string{dir + "/*.csv", shared}, 1<<30)
	if err != nil || len(m.Shards) != 2 || len(m.Whole) != 1 {
		t.Fatalf("%+v, %v", m, err)
	}
	b, err := bucket.Open(t.Context(), "mem://"+t.TempDir(), true)
	if err != nil {
		t.Fatal(err)
	}
	model := strings.Replace(regression, "y: bool[N]", "y: bool[N], shift: real", 1)
	model = strings.Replace(model, "dot(x[n], w)", "dot(x[n], w) + shift", 1)
	if err := pass.Create(t.Context(), b, &pass.Run{Name: "m.sg", Model: model,
		Manifest: m}); err != nil {
		t.Fatal(err)
	}
	e, err := pass.Open(t.Context(), b, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	draws(t, e)
	if s, err := pass.ScoreOf(t.Context(), e, front.Loop{Workers: 1}, 1); err != nil || s.Rows != 200 {
		t.Fatalf("%+v, %v", s, err)
	}
	if err := os.WriteFile(shared, []byte(`{"shift": -0.75}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := pass.ScoreOf(t.Context(), e, front.Loop{Workers: 1}, 2); err == nil ||
		!strings.Contains(err.Error(), "has changed") {
		t.Errorf("a shared file that has changed: %v", err)
	}
}

// Names of tasks are read back; others are refused.
func TestParseTask(t *testing.T) {
	want := pass.Task{Dir: "pass/002-score", Index: 17}
	if got, err := pass.ParseTask(want.String()); err != nil || got != want {
		t.Errorf("%v, %v", got, err)
	}
	for _, name := range []string{"", "17", "pass/002-score/x", "pass/002-score/-1"} {
		if _, err := pass.ParseTask(name); err == nil {
			t.Errorf("%q is taken", name)
		}
	}
}
