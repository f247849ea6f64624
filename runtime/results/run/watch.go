package run

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/results/sketch"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

const (
	// WatchedNumbers is the largest number of elements per draw that the events of a watched run have.
	WatchedNumbers = 48
	// WatchedDraws is the largest number of draws per chain that these events have, evenly spread.
	WatchedDraws = 400
)

// A Number is an element of an array of the draws of a run.
type Number struct {
	Array   string
	Element int    // of the array, row-major
	Name    string // w[3,1]
	at      int    // in a vector of all outputs
}

// Watched returns the elements whose draws the events of a run have, and of, the number of all
// elements of the outputs that match keep. If there are more than WatchedNumbers elements, it
// returns a subset, evenly spread over each array. Arrays of missing entries of the data come last.
func Watched(outputs []target.Output, keep []string) (list []Number, of int) {
	arrays := slices.Clone(kept(outputs, keep))
	missing := func(o target.Output) int {
		if strings.HasSuffix(o.Name, ".missing") {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(arrays, func(a, b target.Output) int { return missing(a) - missing(b) })
	for _, o := range arrays {
		of += o.Len
	}
	share := shares(arrays, WatchedNumbers)
	for i, o := range arrays {
		v := trace.Variable{Name: o.Name, Shape: o.Shape}
		for k := range share[i] {
			element := k * o.Len / share[i]
			list = append(list, Number{Array: o.Name, Element: element,
				Name: v.ElementName(element), at: o.Offset + element})
		}
	}
	return list, of
}

// shares returns the number of elements of each array to watch, at most most together. A short
// array has all its elements watched; the longer arrays share the rest equally.
func shares(arrays []target.Output, most int) []int {
	order := make([]int, len(arrays))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return arrays[a].Len - arrays[b].Len })
	out := make([]int, len(arrays))
	for i, at := range order {
		out[at] = min(arrays[at].Len, max(most/(len(order)-i), 0))
		most -= out[at]
	}
	return out
}

// Drawn has the draws of a chain in an event: the draws that sketch.Thinned kept since the last
// event, with the elements that Watched returns.
type Drawn struct {
	Every  int64   `json:"every"`  // the numbers of the draws are multiples of Every
	Draws  []int64 `json:"draw"`   // the numbers of the draws, from 0
	Values Digits  `json:"values"` // one draw after another
}

// Digits are float64s that JSON has with six significant digits, and as null if they are not
// finite.
type Digits []float64

// MarshalJSON implements json.Marshaler.
func (x Digits) MarshalJSON() ([]byte, error) {
	b := append(make([]byte, 0, 2+9*len(x)), '[')
	for i, f := range x {
		if i > 0 {
			b = append(b, ',')
		}
		if f-f != 0 {
			b = append(b, "null"...)
		} else {
			b = strconv.AppendFloat(b, f, 'g', 6, 64)
		}
	}
	return append(b, ']'), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (x *Digits) UnmarshalJSON(b []byte) error {
	var list []Float
	if err := json.Unmarshal(b, &list); err != nil {
		return err
	}
	*x = make(Digits, len(list))
	for i, f := range list {
		(*x)[i] = float64(f)
	}
	return nil
}

// A window collects the draws of a chain for its events.
type window struct {
	numbers []Number
	draws   *sketch.Thinned
	one     []float64 // space for a draw
	told    int64     // number of the last draw that an event told; −1 before the first
}

func newWindow(numbers []Number) *window {
	return &window{numbers: numbers, draws: sketch.NewThinned(WatchedDraws, len(numbers)),
		one: make([]float64, len(numbers)), told: -1}
}

// add adds draw number index. out has the values of all outputs.
func (w *window) add(index int64, out []float64) {
	if !w.draws.Takes(index) {
		return
	}
	for i := range w.numbers {
		w.one[i] = out[w.numbers[i].at]
	}
	w.draws.Add(index, w.one)
}

// tell returns the draws for the next event, or nil if there are no new ones.
func (w *window) tell() *Drawn {
	draws, values := w.draws.After(w.told)
	if len(draws) == 0 {
		return nil
	}
	d := &Drawn{Every: w.draws.Stride(), Draws: slices.Clone(draws), Values: make(Digits, len(values))}
	copy(d.Values, values)
	w.told = draws[len(draws)-1]
	return d
}
