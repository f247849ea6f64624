package checks

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/stacking"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// hash identifies what was observed.
func hash(l *session.Loglik) (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, s := range slices.SortedFunc(slices.Values(l.Sites), func(a, b driver.Predicted) int {
		return strings.Compare(a.Name, b.Name)
	}) {
		v := l.B.Bound.Values[s.Name]
		if v == nil {
			continue
		}
		x := v.Floats()
		if v.CSR != nil {
			x = v.CSR.Values()
		}
		var word [8]byte
		for _, y := range x {
			binary.LittleEndian.PutUint64(word[:], math.Float64bits(y))
			h.Write(word[:])
		}
	}
	h.Sum(sum[:0])
	return sum
}

// compareLOO sorts several results, the best first, with the differences to it and the weights
// of their mixture.
func compareLOO(all []*looResult, seed uint64) error {
	if len(all) < 2 {
		return nil
	}
	for _, r := range all[1:] {
		if len(r.points) != len(all[0].points) || r.observed != all[0].observed {
			return session.Failf(session.ExitData,
				"%s and %s did not observe the same data (%d and %d observations): they cannot "+
					"be compared",
				all[0].dir, r.dir, len(all[0].points), len(r.points))
		}
	}
	slices.SortStableFunc(all, func(a, b *looResult) int {
		switch {
		case a.sum.ELPD.Value > b.sum.ELPD.Value:
			return -1
		case a.sum.ELPD.Value < b.sum.ELPD.Value:
			return 1
		}
		return 0
	})
	elpd := make([][]float64, len(all))
	for k, r := range all {
		d := diagnose.DifferenceLOO(r.points, all[0].points)
		r.diff = &d
		for _, p := range r.points {
			elpd[k] = append(elpd[k], p.ELPD)
		}
	}
	weights, err := stacking.Weights(elpd)
	if err != nil {
		return session.Failf(session.ExitRun, "%v", err)
	}
	pseudo := stacking.PseudoBMA(elpd, seed)
	for k, r := range all {
		r.stacking, r.pseudoBMA = weights[k], pseudo[k]
	}
	return nil
}
