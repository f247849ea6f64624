package codegen_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// stranger makes its own module that holds generated packages and refers
// to this one by a replace line.
func stranger(t *testing.T, cases []modelCase, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{
		"go.mod": "module example.com/stranger\n\ngo 1.26\n\n" +
			"require github.com/sgppl/sgppl v0.0.0\n\nreplace github.com/sgppl/sgppl => " + root +
			"\n",
	}
	for name, text := range files {
		all[name] = text
	}
	for _, c := range cases {
		for name, text := range c.generate(t) {
			all[c.name+"/"+name] = string(text)
		}
	}
	for name, text := range all {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func goCommand(t *testing.T, dir string, args ...string) string {
	t.Helper()
	// by PATH: a test that is built with -trimpath does not know its GOROOT
	c := exec.Command("go", args...)
	c.Dir = dir
	// The flags are those of the test, so that the packages of this module, which it has compiled,
	// are not compiled once more.
	c.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod", "GOPROXY=off",
		"GOTOOLCHAIN=local", "GOWORK=off")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// A program that uses everything a generated package offers.
const strangerMain = `package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"

	"example.com/stranger/levels"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/engine/typed"
)

func check(ok bool, what string, args ...any) {
	if !ok {
		panic(fmt.Sprintf(what, args...))
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func main() {
	const n, groups = 60, 4
	d := levels.Data{U: []float64{0, 1, -1, 0.5}}
	for i := range n {
		x := math.Sin(float64(i))
		d.Group = append(d.Group, i%groups+1)
		d.X = append(d.X, []float64{x, x * x})
		d.Y = append(d.Y, 1+float64(i%groups)+0.5*x)
	}
	m := must(levels.New(d))
	p := levels.Params{Mu: 1, Slope: 0.1, Tau: 1.5, Sigma: 0.7, Alpha: []float64{1, 2, 3, 4}, Beta: []float64{0.5, 0}}

	// Pack and Unpack are inverse.
	x := must(m.Pack(p))
	check(len(x) == m.Dim(), "%d coordinates", len(x))
	q := must(m.Unpack(x))
	check(math.Abs(q.Tau-1.5) < 1e-12 && math.Abs(q.Alpha[3]-4) < 1e-12 && len(q.Beta) == 2, "%v", q)

	// The joint density is the prior and the rows.
	joint, prior, rows := must(m.LogDensity(p)), must(m.LogPrior(p)), must(m.LogLik(p))
	sum := prior
	for _, v := range rows {
		sum += v
	}
	check(len(rows) == n && math.Abs(joint-sum) < 1e-9, "%v is not %v", joint, sum)

	// The gradient is that of the density of the state.
	grad, scratch := make([]float64, m.Dim()), make([]float64, m.Dim())
	f := must(m.Grad(x, grad))
	check(!math.IsNaN(f), "density %v", f)
	for i := range x {
		const h = 1e-5
		y := append([]float64{}, x...)
		y[i] += h
		up := must(m.Grad(y, scratch))
		y[i] -= 2 * h
		slope := (up - must(m.Grad(y, scratch))) / (2 * h)
		check(math.Abs(slope-grad[i]) < 1e-4*(1+math.Abs(slope)), "gradient %d: %v, %v", i, grad[i], slope)
	}

	// Draws, both ways, are the same ones.
	options := []levels.Option{levels.WithSampler("msgnht"), levels.WithStep(0.01), levels.WithFriction(5), levels.WithBatch(15),
		levels.WithChains(2), levels.WithWarmup(200), levels.WithDraws(50), levels.WithThin(2), levels.WithSeed(7), levels.WithStart(x)}
	post := must(m.Sample(context.Background(), options...))
	check(post.Chains() == 2 && post.Len() == 50, "%d chains of %d", post.Chains(), post.Len())
	count := 0
	for d, err := range m.Draws(context.Background(), options...) {
		check(err == nil, "%v", err)
		kept := must(post.Draw(d.Chain, d.Index))
		check(d.Params.Mu == kept.Params.Mu && d.Params.Alpha[2] == kept.Params.Alpha[2] && d.Tracked.Spread == kept.Tracked.Spread, "draw %d of chain %d", d.Index, d.Chain)
		check(math.Abs(d.Tracked.Spread-math.Exp(d.Params.Mu)/d.Params.Tau) < 1e-9*d.Tracked.Spread, "tracked %v", d.Tracked)
		count++
	}
	check(count == 100, "%d draws", count)
	total := 0.0
	for d := range post.All() {
		total += d.Params.Sigma
	}
	mean := post.Mean()
	check(math.Abs(mean.Sigma-total/100) < 1e-12 && mean.Sigma > 0 && len(mean.Alpha) == 4, "mean %v", mean)
	check(len(post.Summary()) == 4+4+2+1 && post.Summary()[4].Name == "alpha[0]", "summary %v", post.Summary())

	check(len(post.Health()) > 0, "health %v", post.Health())

	// New rows: what is expected of them, and how likely they are.
	fresh := must(m.NewRows(levels.Data{Group: []int{2, 4}, X: [][]float64{{1, 2}, {0, -1}}}))
	said := must(fresh.Predict(p))
	check(fresh.Len() == 2 && math.Abs(said.Y[0]-2.5) < 1e-12 && math.Abs(said.Y[1]-4) < 1e-12, "predicted %v", said)
	sumY := 0.0
	for d := range post.All() {
		sumY += must(fresh.Predict(d.Params)).Y[1]
	}
	check(math.Abs(must(post.Predict(fresh)).Y[1]-sumY/100) < 1e-9, "predicted mean %v", sumY/100)
	_, noY := post.LogLik(fresh)
	check(noY != nil && strings.Contains(noY.Error(), "y"), "the likelihood of rows without y: %v", noY)
	same := must(m.NewRows(d))
	again := must(same.LogLik(p))
	check(len(again) == n && again[7] == rows[7], "likelihoods of the rows of the fit")
	check(len(must(post.LogLik(same))) == n, "predictive densities")
	_, outside := m.NewRows(levels.Data{Group: []int{9}, X: [][]float64{{1, 2}}})
	check(outside != nil && strings.Contains(outside.Error(), "group"), "a group that is not there: %v", outside)

	// States and indices that are not there are errors.
	for _, wrong := range [][]float64{nil, x[1:], append(append([]float64{}, x...), 0)} {
		_, err := m.Unpack(wrong)
		check(err != nil, "a state of %d", len(wrong))
		_, err = m.Grad(wrong, grad)
		check(err != nil, "the gradient at a state of %d", len(wrong))
		_, err = m.Grad(x, wrong)
		check(err != nil, "a gradient of %d", len(wrong))
		_, err = m.Sample(context.Background(), levels.WithStart(wrong))
		check(err != nil && strings.Contains(err.Error(), "WithStart"), "a start of %d: %v", len(wrong), err)
	}
	for _, at := range [][2]int{{-1, 0}, {2, 0}, {0, -1}, {0, 50}} {
		_, err := post.Draw(at[0], at[1])
		check(err != nil, "draw %v", at)
	}

	// Errors name options.
	for name, o := range map[string]levels.Option{
		"WithStep": levels.WithStep(-1), "WithBatch": levels.WithBatch(1000), "WithChains": levels.WithChains(-3), "WithThin": levels.WithThin(0),
		"WithGradNoise": levels.WithGradNoise("much"), "WithSampler": levels.WithSampler("sgldd"), "WithStepSchedule": levels.WithStepSchedule("up"),
		"WithDraws": levels.WithDraws(-1), "WithMaxDepth": levels.WithMaxDepth(99), "WithTemperature": levels.WithTemperature(math.NaN()),
	} {
		_, err := m.Sample(context.Background(), o)
		check(err != nil && strings.Contains(err.Error(), name) && !strings.Contains(err.Error(), "--"), "%s: %v", name, err)
	}

	// Progress is told, to the end of every chain, and changes no draw.
	ended, last := 0, -1
	told := must(m.Sample(context.Background(), append(options, levels.WithThreads(2), levels.WithProgress(func(p typed.Progress) {
		if p.Done {
			ended++
			last = p.Draws
		}
	}))...))
	check(ended == 2 && last == 50, "%d chains ended, of %d draws", ended, last)
	check(must(told.Draw(1, 49)).Params.Mu == must(post.Draw(1, 49)).Params.Mu, "progress changes draws")

	// Summaries without draws are those of the same draws.
	few := must(m.Summarize(context.Background(), typed.Keep{Reservoir: 10}, options...))
	at := must(few.Draw(1, 3))
	check(few.Kept() == 10 && few.Len() == 50 && at.Params.Mu == must(post.Draw(1, at.Index)).Params.Mu, "kept %v", at)
	check(math.Abs(few.Mean().Sigma-mean.Sigma) < 1e-12, "mean %v", few.Mean())
	check(few.Summary()[4].Name == "alpha[0]" && few.Summary()[4].Quantile[2] > 0, "summary %v", few.Summary())

	// Draws of an approximation say how exact they are, also when they are read back.
	near := must(m.Approximate(context.Background(), typed.Approximation{Method: "advi", Iterations: 400, Candidates: 400, Accept: true}, options...))
	saved := "near.run"
	check(near.SaveRun(saved) == nil, "the approximation is not saved")
	back := must(m.LoadRun(saved))
	check(near.Len() == 50 && back.Exactness().K == near.Exactness().K && near.Health()[0].Statistic == "pareto_k", "%v", back.Exactness())
	check(must(back.Draw(1, 7)).Params.Mu == must(near.Draw(1, 7)).Params.Mu, "the approximation read back")
	_, err := m.Approximate(context.Background(), typed.Approximation{Method: "laplas"})
	check(err != nil && strings.Contains(err.Error(), "try Method laplace"), "%v", err)

	// Breaking off ends the run; a cancelled context is an error.
	for range m.Draws(context.Background(), options...) {
		break
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = m.Sample(cancelled, options...)
	check(errors.Is(err, context.Canceled), "cancelled: %v", err)

	// Several goroutines share a model.
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				check(must(m.LogDensity(p)) == joint, "density in parallel")
			}
		})
	}
	wg.Wait()

	// Wrong data are refused with the messages of the command line.
	bad := d
	bad.Group = append([]int{}, d.Group...)
	bad.Group[3] = 9
	_, err = levels.New(bad)
	var de *data.Error
	check(errors.As(err, &de) && de.Name == "group", "index: %v", err)
	bad = d
	bad.X = [][]float64{{1, 2}, {3}}
	_, err = levels.New(bad)
	check(err != nil, "ragged")
	_, err = levels.New(levels.Data{Y: d.Y})
	check(err != nil, "missing")
	_, err = m.Pack(levels.Params{Tau: 1, Sigma: 1, Alpha: []float64{1}, Beta: []float64{0, 0}})
	check(err != nil, "shape of alpha")
	p.Sigma = -1
	_, err = m.Pack(p)
	check(err != nil, "sigma below 0")
	_, err = m.Sample(context.Background(), levels.WithSampler("no such sampler"))
	check(err != nil, "no such sampler")

	// Params may have samplers and settings of their own, and only params that there are.
	mixed := append(options, levels.WithBlocks(sampler.BlockConfig{Params: []string{"alpha", "m?"}, Sampler: "sgld", Step: new(0.001)}))
	other := must(m.Sample(context.Background(), mixed...))
	check(must(other.Draw(0, 9)).Params.Mu != must(post.Draw(0, 9)).Params.Mu, "settings of mu have no effect")
	_, err = m.Sample(context.Background(), append(mixed, levels.WithBlocks(sampler.BlockConfig{Params: []string{"alpah"}, Sampler: "sgld"}))...)
	check(err != nil && sampler.CodeOf(err) == "S0102", "%v", err)
	var _ []typed.Row = post.Summary()

	// The example of the package doc prints one line.
	check(example(context.Background(), d) == nil, "example")
	fmt.Println("ok")
}
`

// docExample makes a function of the example in a package's doc.
func docExample(t *testing.T, c modelCase) string {
	_, text, ok := strings.Cut(string(c.generate(t)["model.go"]), "given data of type Data:\n//\n")
	if !ok {
		t.Fatal("the package doc has no example")
	}
	text, _, _ = strings.Cut(text, "package ")
	return `package main

import (
	"context"
	"fmt"

	"example.com/stranger/` + c.name + `"
)

func example(ctx context.Context, data ` + c.name + `.Data) error {
` + strings.ReplaceAll(text, "//\t", "\t") + `	return nil
}
`
}

func TestStrangersModule(t *testing.T) {
	var levels []modelCase
	for _, c := range own(t) {
		if c.name == "levels" {
			levels = append(levels, c)
		}
	}
	dir := stranger(t, levels,
		map[string]string{"main.go": strangerMain, "example.go": docExample(t, levels[0])})
	if out := goCommand(t, dir, "run", "."); !strings.HasSuffix(out, "\nok\n") ||
		strings.Count(out, "\n") != 2 {
		t.Error(out)
	}
	imports := goCommand(t, dir, "list", "-deps", "-f",
		"{{if not .Standard}}{{.ImportPath}}{{end}}", "./levels")
	for _, path := range strings.Fields(imports) {
		if path != "example.com/stranger/levels" &&
			!strings.HasPrefix(path, "github.com/sgppl/sgppl/runtime/") {
			t.Errorf("a generated package depends on %s", path)
		}
	}
}
