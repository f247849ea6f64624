package predictive

import (
	"math"
	"reflect"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// The model of these tests has one unknown a, and for row n with datum x the
// classes' log probabilities log_softmax(a x, 0, 1) of y, and of z the mean a x.
type code struct{}

func (code) Func(name string, _ map[string]int, _ int) model.Func { return &fn{name: name} }

type fn struct {
	name string
	a    float64
}

func (f *fn) Prepare(fr *model.Frame) {
	if len(fr.X) > 0 {
		f.a = fr.X[0]
	}
}

func (f *fn) Finish(fr *model.Frame) {
	if f.name == "unconstrain" { // the caller gives the value, and takes the state
		fr.Out[0] = math.Log(fr.X[0])
	}
}

func (f *fn) Rows(fr *model.Frame) {
	for n := range fr.N {
		l, m := of(f.a, fr.Dense[0][n])
		switch f.name {
		case "classes y":
			copy(fr.Out[3*n:], l[:])
		case "mean z":
			fr.Out[n] = m
		case "loglik":
			y, d := fr.Dense[1][n], fr.Dense[2][n]-m
			if d != d {
				d = 0
			}
			fr.Out[n] = l[int(y)] - d*d/2
		}
	}
}

// of is what a row says at a state.
func of(a, x float64) (l [3]float64, mean float64) {
	l = [3]float64{a * x, 0, 1}
	total := math.Exp(a*x) + 1 + math.E
	for k := range l {
		l[k] -= math.Log(total)
	}
	return l, a * x
}

func rows(t *testing.T) *Rows {
	n := []size.Poly{size.Dim("N")}
	spec := &model.Spec{Name: "m", RowDim: "N",
		Schema: data.Schema{Dims: []data.Dim{{Name: "N"}},
			Inputs: []data.Input{{Name: "x", Shape: n}, {Name: "y", Shape: n},
				{Name: "z", Shape: n}}},
		Params: []model.Param{{Name: "a", Geometry: "euclidean"}},
		Data: []model.Datum{{Name: "x", Shape: n, Rows: true}, {Name: "y", Shape: n, Rows: true},
			{Name: "z", Shape: n, Rows: true}},
		Sites: []model.Site{{Name: "y", Kind: data.Index, Classes: size.Const(3), Rows: true},
			{Name: "z", Kind: data.Real, Mean: true, Rows: true},
			{Name: "u", Kind: data.Real, Mean: true}},
	}
	m, err := model.New(spec, code{},
		&data.Bound{Dims: map[string]int{"N": 4}, Values: map[string]*array.Value{
			"x": array.Dense([]float64{1, -2, 0.5, 3}, 4),
			"y": array.Dense([]float64{0, 1, 2, 0}, 4),
			"z": array.Dense([]float64{1, math.NaN(), 0, 2}, 4)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return Of(m)
}

// TestScore holds the average against its definition, written out.
func TestScore(t *testing.T) {
	r := rows(t)
	if len(r.Sites) != 2 || r.Width() != 4+12+4 {
		t.Fatalf("%+v", r)
	}
	states := []float64{0.3, 2, -1, 0.7}
	e, out := r.Model.Evaluator(0), make([]float64, r.Width())
	avg := r.Average()
	for _, a := range states {
		r.Predict(e, []float64{a}, out)
		avg.Add(out)
	}
	x, y, z := []float64{1, -2, 0.5, 3}, []int{0, 1, 2, 0}, []float64{1, math.NaN(), 0, 2}
	lpd, hits, square := 0.0, 0.0, 0.0
	gaps := map[int]float64{} // hits less probabilities of the most probable class, by bin
	for n := range x {
		var p [3]float64
		like, mean := 0.0, 0.0
		for _, a := range states {
			l, m := of(a, x[n])
			for k := range p {
				p[k] += math.Exp(l[k])
			}
			d := z[n] - m
			if d != d {
				d = 0
			}
			like += math.Exp(l[y[n]] - d*d/2)
			mean += m
		}
		lpd += math.Log(like/4) / 4
		most := max(p[0], p[1], p[2])
		gaps[int(15*most/4)] -= most / 4
		if p[y[n]] >= most {
			hits++
			gaps[int(15*most/4)]++
		}
		if z[n] == z[n] {
			square += (mean/4 - z[n]) * (mean/4 - z[n])
		}
	}
	calibration := 0.0
	for _, g := range gaps {
		calibration += math.Abs(g) / 4
	}
	s := avg.Score(nil)
	if len(gaps) < 2 || math.Abs(s.Calibration-calibration) > 1e-14 {
		t.Errorf("calibration error %v, want %v over %d bins", s.Calibration, calibration, len(gaps))
	}
	if math.Abs(s.LPD-lpd) > 1e-14 || s.Accuracy != hits/4 ||
		math.Abs(s.RMSE-math.Sqrt(square/3)) > 1e-14 || s.Draws != 4 || !math.IsNaN(s.Perplexity) {
		t.Errorf("%+v, want %v %v %v", s, lpd, hits/4, math.Sqrt(square/3))
	}
	if len(s.Sites) != 2 || !math.IsNaN(s.Sites[1].Calibration) {
		t.Fatalf("sites %+v", s.Sites)
	}
	s.Sites[1].Calibration = 0 // which compares
	if want := []SiteScore{{"y", true, hits / 4, 4, s.Calibration},
		{"z", false, s.RMSE, 3, 0}}; !reflect.DeepEqual(s.Sites, want) {
		t.Errorf("sites %+v, want %+v", s.Sites, want)
	}
	// A draw alone is an average of one.
	one := r.Average()
	one.Add(out)
	if got, want := r.One(out, nil), one.Score(nil); math.Abs(got.LPD-want.LPD) > 1e-15 ||
		got.Accuracy != want.Accuracy || got.RMSE != want.RMSE ||
		math.Abs(got.Calibration-want.Calibration) > 1e-15 {
		t.Errorf("%+v, want %+v", got, want)
	}
	// In two parts, and with a part of no draws.
	a, b := r.Average(), r.Average()
	for i, x := range states {
		r.Predict(e, []float64{x}, out)
		[]*Average{a, b}[i%2].Add(out)
	}
	a.Merge(b)
	a.Merge(r.Average())
	if got := a.Score(nil); math.Abs(got.LPD-s.LPD) > 1e-14 || got.Draws != 4 ||
		got.Accuracy != s.Accuracy {
		t.Errorf("merged %+v, want %+v", got, s)
	}
	empty := r.Average()
	empty.Merge(avg)
	if got := empty.Score(nil); got.LPD != s.LPD {
		t.Errorf("merged into nothing: %v, want %v to the bit", got.LPD, s.LPD)
	}
}

// TestImpossible: a draw that gives a row no probability does not stop others.
func TestImpossible(t *testing.T) {
	r := rows(t)
	avg, out := r.Average(), make([]float64, r.Width())
	for _, l := range []float64{math.Inf(-1), -2, math.Inf(-1)} {
		for i := range 4 {
			out[i] = l
		}
		avg.Add(out)
	}
	if s := avg.Score(nil); math.Abs(s.LPD-(-2-math.Log(3))) > 1e-14 {
		t.Errorf("lpd %v", s.LPD)
	}
	none := r.Average()
	for i := range 4 {
		out[i] = math.Inf(-1)
	}
	none.Add(out)
	none.Merge(none)
	if s := none.Score(nil); !math.IsInf(s.LPD, -1) {
		t.Errorf("lpd %v", s.LPD)
	}
}

// TestRunning: a chain that stops at any draw goes on to the bit.
func TestRunning(t *testing.T) {
	r := rows(t)
	draws := [][]float64{{1.2}, {3}, {0.2}, {2.2}, {5}, {0.9}, {1}}
	whole := r.Running(2)
	for i, d := range draws {
		whole.Add(int64(i), d)
	}
	if len(whole.Points) != 3 || whole.Points[1].Draw != 3 || whole.Points[1].Mean.Draws != 2 ||
		whole.Points[0].Mean.Accuracy != whole.Points[0].Last.Accuracy {
		t.Fatalf("%+v", whole.Points)
	}
	for stop := range len(draws) + 1 {
		part := r.Running(2)
		for i, d := range draws[:stop] {
			part.Add(int64(i), d)
		}
		state := part.AppendBinary(nil)
		again := r.Running(2)
		if err := again.UnmarshalBinary(state); err != nil {
			t.Fatal(err)
		}
		for i, d := range draws[stop:] {
			again.Add(int64(stop+i), d)
		}
		if got, want := again.AppendBinary(nil),
			whole.AppendBinary(nil); !reflect.DeepEqual(got, want) {
			t.Errorf("stopped at draw %d: other numbers", stop)
		}
		for _, bad := range [][]byte{nil, state[:len(state)-8], append(state, 0),
			append(state, make([]byte, pointBytes)...)} {
			if r.Running(2).UnmarshalBinary(bad) == nil {
				t.Errorf("stopped at draw %d: %d bytes are taken", stop, len(bad))
			}
		}
	}
	// At the edge of the support there is no state to evaluate.
	whole.Add(7, []float64{0})
	if whole.Skipped != 1 || len(whole.Points) != 3 {
		t.Errorf("%d skipped, %d points", whole.Skipped, len(whole.Points))
	}
	whole.Points = append(make([]Point, 0, 1000), whole.Points...)
	if n := testing.AllocsPerRun(100, func() { whole.Add(9, draws[0]) }); n > 2 {
		// the names of the two functions
		t.Errorf("%v allocations a draw", n)
	}
}
