package run

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/sgppl/sgppl/runtime/target"
	"github.com/sgppl/sgppl/runtime/trace"
)

// TestMoments holds running moments against two passes, stopped and gone on
// with in the middle, far from 0 where sums of squares would lose everything.
func TestMoments(t *testing.T) {
	outputs := []target.Output{{Name: "b", Offset: 3, Shape: []int{2}, Len: 2}, {Name: "a", Offset: 0, Len: 1}}
	m := newMoments(outputs)
	const n = 50
	var all [][]float64
	for i := range n {
		draw := []float64{1e9 + math.Sin(float64(i)), -1, -1, float64(i * i), 3}
		all = append(all, draw)
		if i == 20 {
			again := newMoments(outputs)
			if err := again.load(m.appendTo(nil)); err != nil {
				t.Fatal(err)
			}
			m = again
		}
		m.add(draw)
	}
	for k, at := range []int{3, 4, 0} {
		mean, square := 0.0, 0.0
		for _, d := range all {
			mean += d[at] / n
		}
		for _, d := range all {
			square += (d[at] - mean) * (d[at] - mean)
		}
		if math.Abs(m.mean[k]-mean) > 1e-15*math.Abs(mean)*n || math.Abs(m.square[k]-square) > 1e-6*square+1e-20 {
			t.Errorf("entry %d: mean %v, sum of squares %v, want %v, %v", at, m.mean[k], m.square[k], mean, square)
		}
	}
	if m.load(make([]byte, 8)) == nil {
		t.Error("moments of another model are taken")
	}
	dir := filepath.Join(t.TempDir(), "s")
	s, err := trace.Create(dir, momentVariables(outputs), 1, 0, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.write(s, 0); err != nil {
		t.Fatal(err)
	}
	v, err := s.Read(MomentsGroup, "b.variance")
	if err != nil || v.Data[0] != m.square[0]/(n-1) || v.Data[1] != 0 {
		t.Errorf("%v %v", v, err)
	}
	one := newMoments(outputs)
	one.add(all[0])
	if err := one.write(s, 0); err != nil {
		t.Fatal(err)
	}
	if v, err := s.Read(MomentsGroup, "a.variance"); err != nil || !math.IsNaN(v.Data[0]) {
		t.Errorf("the variance of one draw is %v, %v", v, err)
	}
	if a := testing.AllocsPerRun(10, func() { m.add(all[3]) }); a > 0 {
		t.Errorf("%v allocations a draw", a)
	}
}
