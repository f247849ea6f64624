package main

import (
	"math"

	"github.com/sgppl/sgppl/runtime/run"
	"github.com/sgppl/sgppl/runtime/trace"
)

// moments summarises a run of --keep moments: the mean and standard deviation of
// the draws of all chains together. Quantiles, effective sample sizes and their
// kin need draws, and are not numbers here.
func (s *summary) moments(store *trace.Store, r *run.Record) error {
	globs, limit := s.view.globs, s.view.limit
	if _, ok := store.Lookup(run.MomentsGroup, "count"); !ok {
		return nil
	}
	counts, err := store.Read(run.MomentsGroup, "count")
	if err != nil {
		return fail(exitFiles, "%v", err)
	}
	for _, v := range store.Variables() {
		name, isMean := cutSuffix(v, ".mean")
		if v.Group != run.MomentsGroup || !isMean {
			continue
		}
		as := v
		as.Name = name
		if s.hides(as) {
			continue
		}
		labels := axisNames(as, s.names)
		first, i := len(s.Vars), 0
		var means, variances *trace.Array
		for _, element := range as.Elements() {
			if at := i; matches(globs, name, element) {
				if len(s.Vars) >= limit {
					s.more++
				} else {
					if means == nil {
						if means, err = store.Read(v.Group, v.Name); err != nil {
							return fail(exitFiles, "%v", err)
						}
						if variances, err = store.Read(v.Group, name+".variance"); err != nil {
							return fail(exitFiles, "%v", err)
						}
					}
					s.Vars = append(s.Vars, pooled(element, entryName(as.Shape, labels, at), counts, means, variances, at))
				}
			}
			i++
		}
		if r.Types[name] == "sphere" {
			s.Directions = append(s.Directions, directions(as, s.Vars[first:])...)
		}
	}
	return nil
}

func cutSuffix(v trace.Variable, suffix string) (string, bool) {
	n := len(v.Name) - len(suffix)
	if n < 1 || v.Name[n:] != suffix {
		return "", false
	}
	return v.Name[:n], true
}

// pooled joins the moments of the chains of one element (Chan, Golub and
// LeVeque 1979, "Updating formulae and a pairwise algorithm for computing
// sample variances", eq. 1.5).
func pooled(name, label string, counts, means, variances *trace.Array, i int) summaryVar {
	n, mean, square := 0.0, 0.0, 0.0
	for c := range counts.Chains {
		k := counts.At(c, 0)[0]
		if k == 0 {
			continue
		}
		m, q := means.At(c, 0)[i], 0.0
		if k > 1 {
			q = variances.At(c, 0)[i] * (k - 1)
		}
		d := m - mean
		mean += d * k / (n + k)
		square += q + d*d*n*k/(n+k)
		n += k
	}
	nan := run.Float(math.NaN())
	out := summaryVar{Name: name, Label: label, Mean: nan, SD: nan, MCSEMean: nan, MCSESD: nan, Q5: nan, Q50: nan, Q95: nan, ESSBulk: nan, ESSTail: nan, Rhat: nan}
	if n > 0 {
		out.Mean = run.Float(mean)
	}
	if n > 1 {
		out.SD = run.Float(math.Sqrt(square / (n - 1)))
	}
	return out
}
