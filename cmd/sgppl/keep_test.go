package main

import (
	"encoding/json"
	"math"
	"os"
	"reflect"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// heldOutIs DIR FILE: what the run has of its held-out rows is the JSON of
// score in the file, to the last digit, in both places.
func heldOutIs(ts *testscript.TestScript, _ bool, args []string) {
	var want run.Score
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[1])), &want))
	r, err := run.Read(ts.MkAbs(args[0]))
	ts.Check(err)
	var series run.Series
	b, err := os.ReadFile(run.HeldOutSeries(ts.MkAbs(args[0])))
	ts.Check(err)
	ts.Check(json.Unmarshal(b, &series))
	if !reflect.DeepEqual(r.HeldOut.Score, &want) || !reflect.DeepEqual(series.Score, &want) {
		ts.Fatalf("score says %+v, run.json %+v, the series %+v", want, r.HeldOut.Score,
			series.Score)
	}
	for _, c := range series.Chains {
		n := len(c.Draws)
		if n != len(c.LPDMean) || n != len(c.DrawLPDMean) || n != len(c.Accuracy) ||
			n != len(c.DrawAccuracy) || c.LPDMean[0] != c.DrawLPDMean[0] ||
			c.LPDMean[n-1] == c.LPDMean[0] {
			ts.Fatalf("a series of %d draws: %+v", n, c)
		}
	}
}

// momentsAre FILE FILE: two summaries have the same means and deviations.
func momentsAre(ts *testscript.TestScript, _ bool, args []string) {
	var s [2]show.Summary
	for i := range s {
		ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[i])), &s[i]))
	}
	if len(s[0].Vars) != len(s[1].Vars) || len(s[0].Vars) < 4 || s[0].Draws != s[1].Draws {
		ts.Fatalf("%d and %d variables", len(s[0].Vars), len(s[1].Vars))
	}
	for i, v := range s[0].Vars {
		w := s[1].Vars[i]
		if v.Name != w.Name || math.Abs(float64(v.Mean-w.Mean)) > 1e-12 ||
			math.Abs(float64(v.SD-w.SD)) > 1e-12 {
			ts.Fatalf("%s: mean %v, sd %v by draws; %s: %v, %v by moments", v.Name, v.Mean, v.SD,
				w.Name, w.Mean, w.SD)
		}
	}
}

// quantilesAre FILE FILE: the quantiles of the second summary, by sketches, are near those of the
// first, by the draws, and where these say that chains do not agree so does the other.
func quantilesAre(ts *testscript.TestScript, _ bool, args []string) {
	var s [2]show.Summary
	for i := range s {
		ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[i])), &s[i]))
	}
	for i, v := range s[0].Vars {
		w := s[1].Vars[i]
		for _, q := range [][2]run.Float{{v.Q5, w.Q5}, {v.Q50, w.Q50}, {v.Q95, w.Q95}} {
			if math.Abs(float64(q[0]-q[1])) > 0.25*float64(v.SD) {
				ts.Fatalf("%s: quantile %v by draws, %v by a sketch", v.Name, q[0], q[1])
			}
		}
		if w.RankError == nil || *w.RankError > 0.05 || w.ESSMean == nil || !(*w.ESSMean > 1) ||
			(v.Rhat > 1.2) != (w.Rhat > 1.2) {
			ts.Fatalf("%s: %+v by draws, %+v by sketches", v.Name, v, w)
		}
	}
}

// lastDraws ALL LAST K: of the columns of LAST, its draws are the last K of each
// chain of ALL.
func lastDraws(ts *testscript.TestScript, _ bool, args []string) {
	k, err := strconv.Atoi(args[2])
	ts.Check(err)
	all, last := cells(ts.ReadFile(args[0])), cells(ts.ReadFile(args[1]))
	chains := 1 + int((len(last)-2)/k)
	each := (len(all) - 1) / chains
	for c := range chains {
		for d := range k {
			got, want := last[1+c*k+d], all[1+c*each+each-k+d]
			for i, name := range last[0] {
				for j, other := range all[0] {
					if name == other && i > 1 && got[i] != want[j] {
						ts.Fatalf("chain %d, draw %d of the last: %s is %s, not %s", c, d, name,
							got[i], want[j])
					}
				}
			}
		}
	}
}

func cells(text string) [][]string {
	var out [][]string
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		out = append(out, strings.Split(line, ","))
	}
	return out
}
