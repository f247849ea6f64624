package main

import (
	"encoding/json"
	"fmt"

	"github.com/sgppl/sgppl/cluster/pass"
)

type looCmd struct {
	fitted
	JSON bool `name:"json" help:"Print one JSON object."`
}

func (c *looCmd) Help() string {
	return `The numbers of sgppl loo (Vehtari, Gelman and Gabry 2017) for rows in any number of files. The rows are those that
the run was fitted to.

  sgppl cluster loo runs/churn-1 --data 's3://lake/claims/*.parquet' --out s3://lake/loo`
}

// Run cross-validates.
func (c *looCmd) Run(w *world) error {
	e, err := c.begin(w, "loo", false)
	if err != nil || e == nil {
		return err
	}
	defer e.Close()
	by, err := c.front(w)
	if err != nil {
		return err
	}
	l, err := pass.LOOOf(w.ctx, e, by, 1)
	if err != nil {
		return err
	}
	return printLOO(w, l, c.JSON)
}

// printLOO prints the cross-validation of all rows.
func printLOO(w *world, l *pass.LOO, asJSON bool) error {
	s := l.Sum
	if asJSON {
		return json.NewEncoder(w.stdout).Encode(map[string]any{"rows": len(l.Points),
			"elpd_loo": s.ELPD.Value, "se": s.ELPD.SE, "p_loo": s.P.Value, "k_good": s.Good,
			"k_bad": s.Bad, "k_very_bad": s.VeryBad, "threshold": s.Threshold, "left_out": l.Left})
	}
	fmt.Fprintf(w.stdout, "rows      %d\nelpd_loo  %.6g ± %.3g\np_loo     %.4g ± %.3g\n",
		len(l.Points),
		s.ELPD.Value, s.ELPD.SE, s.P.Value, s.P.SE)
	fmt.Fprintf(w.stdout, "Pareto k  at most %.2f for %d rows, above for %d, above 1 for %d\n",
		s.Threshold,
		s.Good, s.Bad, s.VeryBad)
	if n := s.Bad + s.VeryBad; n > 0 {
		fmt.Fprintf(w.stdout, "the draws say too little of leaving out %d rows: elpd_loo is not to be "+
			"trusted there\n", n)
	}
	return nil
}
