package bench

import (
	"slices"
	"testing"

	"github.com/sgppl/sgppl/bench/internal/topics"
	"github.com/sgppl/sgppl/bench/internal/training"
	"github.com/sgppl/sgppl/internal/reference"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// words are the documents of topics.md, those of the abstracts whose number is
// not 4 modulo 5; or, where they are not at hand, as many words of as many
// documents, drawn from topics.
func words(t testing.TB, real bool) (docs [][]int, vocabulary int) {
	if real {
		path := reference.Path(t, "data", "lda", "icml2013_2015", "icml2013_2015.ldac.gz")
		c := compile(t, topicsModel)
		bound, _, errs := data.Bind(&c.Spec.Schema, []string{"w=" + path + ":skip=4%5"}, nil,
			data.Options{})
		if errs != nil {
			t.Fatal(errs)
		}
		w, lengths, longest := bound.Values["w"].Floats(),
			bound.Values[data.LengthsOf("W")].Floats(), bound.Dims["W"]
		for d, n := range lengths {
			row := make([]int, int(n))
			for i := range row {
				row[i] = int(w[d*longest+i])
			}
			docs = append(docs, row)
		}
		return docs, bound.Dims["V"]
	}
	const kinds, size = 30, 1885
	src := rng.New(1, 0, rng.Simulate).At(0)
	for range 691 {
		first, second := src.IntN(kinds), src.IntN(kinds)
		row := make([]int, 40+src.IntN(57))
		for i := range row {
			k := first
			if src.Float64() < 0.4 {
				k = second
			}
			u := src.Float64()
			row[i] = (k*61 + int(u*u*300)) % size
		}
		docs = append(docs, row)
	}
	return docs, size
}

// topicSide is the model over documents, in minibatches of five.
type topicSide struct {
	eval interface {
		target.Evaluator
		target.LocalEvaluator
	}
	x, grad []float64
	docs    [][]int
	visit   uint64
}

func newTopicSide(t testing.TB, real bool, o target.LocalOptions) *topicSide {
	t.Helper()
	s := &topicSide{}
	var v int
	s.docs, v = words(t, real)
	m, err := topics.New(topics.Data{W: s.docs, V: v})
	if err != nil {
		t.Fatal(err)
	}
	s.eval = m.Target().NewEvaluator(5).(interface {
		target.Evaluator
		target.LocalEvaluator
	})
	s.eval.Locals(o, 1, 0)
	s.x, s.grad = make([]float64, m.Dim()), make([]float64, m.Dim())
	src := rng.New(2, 0, rng.Init).At(0)
	for i := range s.x {
		s.x[i] = 0.1 + src.Normal()
	}
	return s
}

// batches computes the gradient of minibatches from one to another.
func (s *topicSide) batches(from, to int) (words int) {
	var rows [5]int
	for b := from; b < to; b++ {
		for i := range rows {
			rows[i] = (5*b + i) % len(s.docs)
			words += len(s.docs[rows[i]])
		}
		s.visit++
		s.eval.Visit(s.visit, false)
		s.eval.Gradient(s.x, rows[:], 1, 1, s.grad)
	}
	return words
}

// BenchmarkTopics measures minibatches of five documents, at the settings of a
// run: 20 sweeps, then 20 of which gradients are the mean. A sweep alone is what
// another 80 of them cost. Both take turns, a minibatch at a time: what is reported are medians of
// processor time.
func BenchmarkTopics(b *testing.B) {
	for _, real := range []bool{true, false} {
		b.Run(map[bool]string{true: "abstracts", false: "simulated"}[real], func(b *testing.B) {
			run := newTopicSide(b, real, target.LocalOptions{})
			long := newTopicSide(b, real, target.LocalOptions{BurnIn: 100})
			const chunk, sweeps, extra = 1, 40, 80
			run.batches(0, 2)
			long.batches(0, 2)
			var whole, sweep, documents []float64
			b.ResetTimer()
			for i := range b.N {
				at := i * chunk
				start := training.CPUTime()
				n := run.batches(at, at+chunk)
				short := training.CPUTime() - start
				start = training.CPUTime()
				long.batches(at, at+chunk)
				more := training.CPUTime() - start - short
				whole = append(whole, float64(short.Nanoseconds())/float64(n))
				sweep = append(sweep, float64(more.Nanoseconds())/float64(n*extra))
				documents = append(documents, 5*chunk/short.Seconds())
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(median(whole), "ns/word")
			b.ReportMetric(median(whole)/sweeps, "ns/word/sweep,all")
			b.ReportMetric(median(sweep), "ns/word/sweep")
			b.ReportMetric(1e9/median(whole), "words/s")
			b.ReportMetric(median(documents), "documents/s")
		})
	}
}

// TestTopicsFinite: the documents that are simulated give a gradient.
func TestTopicsFinite(t *testing.T) {
	s := newTopicSide(t, false, target.LocalOptions{BurnIn: 2, Kept: 2})
	if n := s.batches(0, 1); n < 5*40 {
		t.Fatalf("%d words", n)
	}
	if i := slices.IndexFunc(s.grad, func(g float64) bool { return g != g }); i >= 0 {
		t.Errorf("coordinate %d is no number", i)
	}
	if !slices.ContainsFunc(s.grad, func(g float64) bool { return g > 1 }) {
		t.Error("no word pulls at its topic")
	}
}
