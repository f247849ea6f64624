package diagnose

import (
	"math"
	"testing"
)

// series is a first-order autoregression driven by a linear congruential
// generator, one seed a chain, shifted a little between chains.
func series(draws, chains int) [][]float64 {
	out := make([][]float64, chains)
	for c := range out {
		s, x := uint32(42+c), 0.0
		for range draws {
			s = 1664525*s + 1013904223
			x = 0.5*x + ((float64(s)+0.5)/0x1p32 - 0.5)
			out[c] = append(out[c], x+0.05*float64(c))
		}
	}
	return out
}

func near(t *testing.T, name string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Abs(want)) {
		t.Errorf("%s = %.15g, want %.15g (off by %.2g)", name, got, want, got/want-1)
	}
}

// The values were computed with the R package posterior.
func TestGolden(t *testing.T) {
	first := -0.247654825099744
	cases := []struct {
		draws, chains int
		want          map[string]float64
	}{
		{100, 4, map[string]float64{
			"last": 0.0766151838188899, "rhat_basic": 1.01684749875598, "rhat": 1.01895577031634,
			"ess_bulk": 157.65909661689, "ess_tail": 222.001270288874, "ess_mean": 154.742759660581,
			"ess_sd":    311.13356244756,
			"mcse_mean": 0.0289117265138641, "mcse_sd": 0.0101356191510444,
			"mcse_q5": 0.0258556766926695,
		}},
		{101, 4, map[string]float64{
			"last": 0.0264229285855732, "rhat_basic": 1.01594111883502, "rhat": 1.01815153004569,
			"ess_bulk": 161.029292981045, "ess_tail": 219.475490169701, "ess_mean": 158.37578631497,
			"ess_sd":    312.875466145973,
			"mcse_mean": 0.0285078116867628, "mcse_sd": 0.0100974463204385,
			"mcse_q5": 0.0258556766926695,
		}},
		{100, 1, map[string]float64{
			"last": -0.143491931469888, "rhat_basic": 0.996074633233082, "rhat": 0.995932864071571,
			"ess_bulk": 46.9276613319445, "ess_tail": 100.059029851259,
			"ess_mean": 45.1136717369215, "ess_sd": 107.016129598443,
			"mcse_mean": 0.0546111867154577, "mcse_sd": 0.0162379943608974,
			"mcse_q5": 0.0642671019455378,
		}},
	}
	for _, test := range cases {
		y := series(test.draws, test.chains)
		near(t, "first", y[0][0], first, 1e-14)
		got := map[string]float64{
			"last": y[test.chains-1][test.draws-1], "rhat_basic": RhatBasic(y), "rhat": Rhat(y),
			"ess_bulk": ESSBulk(y), "ess_tail": ESSTail(y), "ess_mean": ESSMean(y),
			"ess_sd":    ESSSD(y),
			"mcse_mean": MCSEMean(y), "mcse_sd": MCSESD(y), "mcse_q5": MCSEQuantile(y, 0.05),
		}
		for name, want := range test.want {
			near(t, name, got[name], want, 1e-12)
		}
		// A summary is the same numbers, also in memory used before.
		var w Workspace
		w.Summarize(series(37, 5))
		s := w.Summarize(y)
		for name, x := range map[string]float64{"rhat": s.Rhat, "ess_bulk": s.ESSBulk,
			"ess_tail": s.ESSTail, "mcse_mean": s.MCSEMean, "mcse_sd": s.MCSESD} {
			if x != got[name] {
				t.Errorf("the summary's %s is %v, alone it is %v", name, x, got[name])
			}
		}
	}
}
