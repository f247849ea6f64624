package checks

import (
	"math"

	"github.com/sgppl/sgppl/internal/session"
)

// score predicts the rows of every fold by the draws that have not seen them.
func (v *validation) score(e *session.Session, threads int) error {
	stop, release := e.Stopper()
	defer release()
	v.elpd = make([]float64, v.likely.N)
	for k := range v.folds {
		f := &v.folds[k]
		b, err := v.likely.B.RowsAlone(f.left)
		if err != nil {
			return err
		}
		l, err := session.NewLoglik(e, b)
		if err != nil {
			return err
		}
		draws, err := session.OpenDraws(f.dir, f.record, b.Target, session.Choice{},
			"cross-validation")
		if err != nil {
			return err
		}
		draws.Stop = stop
		top, sum := make([]float64, l.N), make([]float64, l.N) // log Σ exp, as it goes on
		for i := range top {
			top[i] = math.Inf(-1)
		}
		workers := l.Evaluators(threads, draws.Total())
		err = draws.ForEach(threads, l.N, func(worker int, p session.Drawn, out []float64) error {
			workers[worker].Eval(l, p.X, 0, l.N, out)
			return nil
		}, func(_ session.Drawn, out []float64) error {
			for i, x := range out {
				switch {
				case x == math.Inf(-1):
				case x <= top[i]:
					sum[i] += math.Exp(x - top[i])
				default:
					top[i], sum[i] = x, sum[i]*math.Exp(top[i]-x)+1
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		for i, row := range f.left {
			v.elpd[row] = top[i] + math.Log(sum[i]/float64(draws.Total()))
			if x := v.elpd[row]; x-x != 0 {
				return session.Failf(session.ExitRun,
					"fold %d: the likelihood of row %d of %s is zero or not a number at every "+
						"draw, or infinite at one", k, row, l.Axis)
			}
			f.elpd += v.elpd[row]
		}
	}
	return nil
}
