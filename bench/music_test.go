package bench

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/internal/reference"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// The model of music.md.
const musicModel = "models/polyphony.sg"

// TestMusic scores the test chorales by the model where its recurrence says
// nothing: at 0 every frame costs 88 log 2 nats, and with the frequencies of
// notes in the training pieces as biases, 0.001 added to either count, it is the
// baseline of independent notes, 11.0601 by a program of a few lines that shares
// nothing with this one.
func TestMusic(t *testing.T) {
	path := reference.Path(t, "data", "music", "JSB_Chorales.json.gz")
	c := compile(t, musicModel)
	pieces := func(part string) *model.Model {
		bound, _, errs := data.Bind(&c.Spec.Schema, []string{"x=" + path + ":" + part}, nil,
			data.Options{})
		if errs != nil {
			t.Fatal(errs)
		}
		m, err := c.VM(bound, nil)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	train, test := pieces("train"), pieces("test")
	frames := func(m *model.Model, want int) float64 {
		if n := m.Lengths()["T"]; n != want {
			t.Fatalf("%d frames, want %d", n, want)
		}
		return float64(want)
	}
	x, lik := make([]float64, test.Dim()), make([]float64, test.Rows())
	perFrame := func() float64 {
		test.Evaluator(0).LogLik(x, nil, lik)
		sum := 0.0
		for _, l := range lik {
			sum -= l
		}
		return sum / frames(test, 4725)
	}
	if got, want := perFrame(), 88*math.Ln2; !(math.Abs(got-want) < 1e-10) {
		t.Errorf("%.12g nats a frame at 0, want %.12g", got, want)
	}
	on := make([]float64, 88)
	for i, y := range train.Observed("x") {
		if y == 1 {
			on[i%88]++
		}
	}
	for _, b := range test.Blocks() {
		if b.Name == "bv" {
			for k, n := range on {
				x[b.Offset+k] = math.Log((n + 0.001) / (frames(train, 13807) - n + 0.001))
			}
		}
	}
	if got := perFrame(); !(math.Abs(got-11.0601) < 0.0001) {
		t.Errorf("%.6g nats a frame by independent notes, want 11.0601", got)
	}
}
