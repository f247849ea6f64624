package show

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// A direction summarises the draws of a unit vector x (Mardia & Jupp 2000,
// Directional Statistics, §2.2 and §9.2): the mean direction E x / |E x|, and the
// mean resultant length |E x|, which is near 1 where the draws agree. The
// diagnostics are those of the worst coordinate.
type direction struct {
	Name      string      `json:"name"`
	Direction []run.Float `json:"direction"`
	Resultant run.Float   `json:"resultant_length"`
	ESSBulk   run.Float   `json:"ess_bulk_min"`
	ESSTail   run.Float   `json:"ess_tail_min"`
	Rhat      run.Float   `json:"rhat_max"`
}

// Directions summarises the points of a param on spheres from its elements'
// summaries. Points that are not there in full are left out.
func Directions(v trace.Variable, vars []SummaryVar) []direction {
	if len(v.Shape) == 0 {
		return nil
	}
	size := v.Shape[len(v.Shape)-1]
	have := map[string]*SummaryVar{}
	for i := range vars {
		have[vars[i].Name] = &vars[i]
	}
	var out []direction
	var point []*SummaryVar
	for _, name := range v.Elements() {
		point = append(point, have[name])
		if len(point) < size {
			continue
		}
		if d, ok := pointOf(name, point); ok {
			out = append(out, d)
		}
		point = point[:0]
	}
	return out
}

// pointOf is the direction of coordinates, of which the last is called name.
func pointOf(name string, x []*SummaryVar) (direction, bool) {
	d := direction{Name: name[:strings.LastIndexAny(name, ",[")], ESSBulk: run.Float(math.Inf(1)),
		ESSTail: run.Float(math.Inf(1))}
	if strings.Contains(d.Name, "[") {
		d.Name += "]"
	}
	length := 0.0
	for _, c := range x {
		if c == nil {
			return d, false
		}
		length = math.Hypot(length, float64(c.Mean))
	}
	d.Resultant = run.Float(length)
	for _, c := range x {
		d.Direction = append(d.Direction, run.Float(float64(c.Mean)/length))
		// A coordinate that is not defined makes the point's so: NaN stays.
		d.ESSBulk, d.ESSTail = min(d.ESSBulk, c.ESSBulk), min(d.ESSTail, c.ESSTail)
		d.Rhat = max(d.Rhat, c.Rhat)
	}
	return d, true
}

// shownCoordinates is how many coordinates of a direction the table has.
const shownCoordinates = 6

func printDirections(w io.Writer, list []direction) error {
	if len(list) == 0 {
		return nil
	}
	fmt.Fprintln(w)
	t := Table{Head: []string{"direction of", "resultant", "ess_bulk", "ess_tail", "rhat",
		"mean direction"}, Left: map[string]bool{"mean direction": true}}
	for _, d := range list {
		var x []string
		for i, v := range d.Direction {
			if i == shownCoordinates {
				x = append(x, "…")
				break
			}
			x = append(x, Format("%.3f", v))
		}
		t.Add(d.Name, digits(d.Resultant), Format("%.0f", d.ESSBulk), Format("%.0f", d.ESSTail),
			Format("%.3f", d.Rhat), strings.Join(x, " "))
	}
	return t.Write(w)
}
