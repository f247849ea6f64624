package show

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/results/run"
)

// TestPictures: figures of draws that agree, that do not, that are constant, whose
// numbers are missing or too large, are what they were.
func TestPictures(t *testing.T) {
	wave := func(n int, by, shift float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = float64((i*7919)%n)/float64(n)*by + shift
		}
		return out
	}
	nan, inf := math.NaN(), math.Inf(1)
	list := []Figure{
		newFigure(SummaryVar{Name: "agree", Mean: 0.5, SD: 0.29, Q5: 0.05, Q50: 0.5, Q95: 0.95,
			ESSBulk: 900, ESSTail: 870, Rhat: 1.001},
			[][]float64{wave(500, 1, 0), wave(500, 1, 0)}),
		newFigure(SummaryVar{Name: "apart & <b>", Label: "\"row\"", Mean: 1, SD: 0.6, Q5: 0.1,
			Q50: 1, Q95: 1.9, Rhat: 1.8}, [][]float64{wave(50, 1, 0), wave(50, 1, 1)}),
		newFigure(SummaryVar{Name: "constant", Mean: 3}, [][]float64{{3, 3, 3}}),
		newFigure(SummaryVar{Name: "holes", Mean: run.Float(inf), Q5: 1, Q50: 2, Q95: 4},
			[][]float64{{1, nan, 2, inf}, {nan, nan, nan, nan}}),
		newFigure(SummaryVar{Name: "nothing"}, [][]float64{{nan}, {nan}}),
		newFigure(SummaryVar{Name: "huge"}, [][]float64{{-1e308, 1e308, 1e300}}),
	}
	p := &Page{}
	writeFigures(&p.Body, list)
	got := string(p.Document("pictures"))
	for _, bad := range []string{"NaN", "Inf", "<b>\"", "apart & ", "<script"} {
		if strings.Contains(got, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	// Ranks of chains that agree are level, of chains that do not one below the other.
	agree, level := rankPaths([][]float64{wave(400, 1, 0), wave(400, 1, 0)})
	if agree[0] != agree[1] || level != (panelTop+panelBottom)/2 {
		t.Errorf("%v, level at %d", agree, level)
	}
	if apart, _ := rankPaths([][]float64{{1, 2}, {3, 4}}); apart[0] == apart[1] ||
		!strings.HasSuffix(apart[0], "1410 156L1424 156") ||
		!strings.HasPrefix(apart[1], "M1144 156L1158 156") {
		t.Errorf("%v", apart)
	}
	golden := filepath.Join("testdata", "pictures.html")
	if os.Getenv("SGPPL_UPDATE") != "" {
		if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || got != string(want) {
		t.Errorf("%s differs (%v): SGPPL_UPDATE=1 writes it anew", golden, err)
	}
}
