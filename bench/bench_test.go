package bench

import (
	"fmt"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/bench/internal/training"
)

// A side is one of the programs that are compared.
type side struct {
	name string
	run  func(calls int)
}

// each calls f so many times.
func each(f func()) func(int) {
	return func(calls int) {
		for range calls {
			f()
		}
	}
}

// phases is into how many chunks a pass over the rows is cut.
const phases = 10

// compare takes a pass of calls of every side an op, in turns, a chunk of the pass at a time, so
// that what disturbs the machine disturbs all sides alike. It reports for each side the mean over
// the pass of the median processor times of each chunk, a call: chunks are too short to be
// interrupted often, and the first of a pass has the shuffle. ratio is the first side's time over
// the yardstick's. It returns the times in nanoseconds.
func compare(b *testing.B, pass int, sides []side, yardstick int) []float64 {
	clock := training.CPUTime
	times := make([][phases][]float64, len(sides))
	for range b.N {
		for k := range phases {
			calls := (k+1)*pass/phases - k*pass/phases
			for i, s := range sides {
				start := clock()
				s.run(calls)
				times[i][k] = append(times[i][k], float64(clock()-start))
			}
		}
	}
	b.ReportMetric(0, "ns/op") // of all sides together: no meaning
	call := make([]float64, len(sides))
	for i, s := range sides {
		for k := range phases {
			call[i] += median(times[i][k]) / float64(pass)
		}
		b.ReportMetric(call[i], s.name+"-ns")
	}
	if yardstick > 0 {
		b.ReportMetric(call[0]/call[yardstick], "ratio")
	}
	return call
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// storages are the two ways to hold the features.
var storages = []struct {
	name   string
	sparse bool
}{{"sparse", true}, {"dense", false}}

// BenchmarkStep is one step of a sampler at a minibatch: of the generated
// package, of the VM, of the loop written by hand, and of the loop that a
// person writes first.
func BenchmarkStep(b *testing.B) {
	for _, x := range storages {
		p := newPrograms(b, x.sparse)
		rows := p.hand.sparse.Rows
		for _, name := range []string{"msgnht", "sgld"} {
			for _, batch := range []int{10, 100, 1000} {
				b.Run(fmt.Sprintf("%s/%s/batch=%d", name, x.name, batch), func(b *testing.B) {
					compare(b, (rows+batch-1)/batch, p.steps(b, settingsOf(name, batch)), 2)
				})
			}
		}
	}
}

// BenchmarkAlone is a step at batch 10 of one side only, which then has the
// processor's cache to itself, as a chain has that runs on a core of its own.
func BenchmarkAlone(b *testing.B) {
	p := newPrograms(b, true)
	const batch = 10
	for _, name := range []string{"msgnht", "sgld"} {
		for _, s := range p.steps(b, settingsOf(name, batch)) {
			b.Run(name+"/"+s.name, func(b *testing.B) {
				compare(b, (p.hand.sparse.Rows+batch-1)/batch, []side{s}, 0)
			})
		}
	}
}

// BenchmarkGradient is one gradient over all rows.
func BenchmarkGradient(b *testing.B) {
	for _, x := range storages {
		p := newPrograms(b, x.sparse)
		all := make([]int, p.hand.sparse.Rows)
		for i := range all {
			all[i] = i
		}
		s := settingsOf("sgld", 10)
		h, f := newHand(p.hand, x.sparse, s), newFirst(p.first, x.sparse, s)
		at, grad := make([]float64, p.vm.Dim()), make([]float64, p.vm.Dim())
		generated, vm := p.generated.NewEvaluator(1), p.vm.NewEvaluator(1)
		b.Run(x.name, func(b *testing.B) {
			compare(b, phases, []side{
				{"generated", each(func() { generated.Gradient(at, nil, 1, 1, grad) })},
				{"vm", each(func() { vm.Gradient(at, nil, 1, 1, grad) })},
				{"hand", each(func() { h.gradient(all) })},
				{"first", each(f.full)},
			}, 2)
		})
	}
}
