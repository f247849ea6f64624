package show

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// A topic is a row of an array along a dim whose entries have names, such as a vocabulary. It has
// the entries with the largest means over the draws of one chain. Means are not taken over chains,
// since chains number topics in different orders.
type topic struct {
	Name  string `json:"name"` // phi[0]; beta[:,0] where the words are the first axis
	Label string `json:"label,omitempty"`
	// Weight is the mean of the row's entry in a simplex or in an array of positive numbers along the
	// other axis
	Weight *run.Float `json:"weight,omitempty"`
	// Share is the part of the row's sum that its Words have, if the row sums to 1
	Share *run.Float `json:"share,omitempty"`
	// Resultant is the length of the mean of a row on a sphere: 1 if all draws agree, near 0 if the
	// draws have no common direction.
	Resultant *run.Float  `json:"resultant_length,omitempty"`
	Words     []string    `json:"words"`
	Means     []run.Float `json:"means"`
}

// topics are the topics of one array.
type topics struct {
	of     string // the array
	dims   []string
	weight string // name of the array of weights; "" without weights
	list   []topic
}

// ShownWords is the default number of words that are shown per topic.
const ShownWords = 10

// wordAxis returns the axis whose names are words: the longest axis, if it has names and more than
// ShownWords entries; else −1.
func wordAxis(shape []int, names [][]string) int {
	axis := -1
	for k, n := range shape {
		if axis < 0 || n >= shape[axis] {
			axis = k
		}
	}
	if len(shape) < 2 || axis >= len(names) || names[axis] == nil || shape[axis] <= ShownWords {
		return -1
	}
	return axis
}

// A topicTable finds the topics of a run.
type topicTable struct {
	r     *run.Record
	store *trace.Store
	names map[string][]string
	chain int
	words int
	from  int // the means are over the draws from … to−1
	to    int
}

// ofArray returns the topics of a stored array; nil if it has no axis of words.
func (t *topicTable) ofArray(v trace.Variable) (*topics, error) {
	names := session.AxisNames(v, t.names)
	axis := wordAxis(v.Shape, names)
	if axis < 0 || t.to <= t.from {
		return nil, nil
	}
	mean, err := t.mean(v)
	if err != nil {
		return nil, err
	}
	return t.rows(v, names, axis, mean)
}

// topics finds the topics that a view of a run shows: of arrays that are stored
// and, where the view has them, of lets. What of a let cannot be computed is
// told in a note.
func (s *Summary) topics(e *session.Session, r *run.Record, store *trace.Store) error {
	if len(s.names) == 0 {
		return nil
	}
	t := &topicTable{r: r, store: store, names: s.names, words: s.view.Words}
	of, err := t.draws(s.view.Chain)
	if err != nil {
		return err
	}
	s.means = of
	stored, err := t.stored(s.view.Globs)
	if err != nil {
		return session.Failf(session.ExitFiles, "%v", err)
	}
	var lets []*topics
	if s.view.Lets {
		lets, err = t.lets(s.dir, s.view.Globs)
		if err != nil {
			e.Note("a let of the model may have topics, but cannot be computed: %v", err)
		}
	}
	for _, x := range stored {
		if s.view.Globs != nil || !slices.ContainsFunc(lets,
			func(l *topics) bool { return slices.Equal(l.dims, x.dims) && r.Types[x.of] == "real" }) {
			s.tables = append(s.tables, x)
		}
		if len(s.view.Globs) == 0 && !s.view.Json {
			s.hidden = append(s.hidden, x.of)
		}
	}
	s.tables = append(s.tables, lets...)
	for _, x := range s.tables {
		s.Topics = append(s.Topics, x.list...)
	}
	return nil
}

// hides reports whether an array is shown as topics alone, and counts its numbers.
func (s *Summary) hides(v trace.Variable) bool {
	if !slices.Contains(s.hidden, v.Name) {
		return false
	}
	s.within += v.Len()
	return true
}

// draws settles whose mean is taken, and says it.
func (t *topicTable) draws(chain *int) (string, error) {
	if t.r.Optimize != nil {
		t.chain = max(t.r.BestChain(), 0)
	}
	if chain != nil {
		if n := t.r.Outline().Chains; *chain < 0 || *chain >= n {
			return "", session.Usagef("--chain %d: the run has %d chains, counted from 0", *chain, n)
		}
		if t.chain = slices.Index(t.store.Numbers(), *chain); t.chain < 0 {
			return "", session.Usagef("--chain %d has no draws, or far fewer than the others: "+
				"chains that are read: %s", *chain,
				strings.Trim(fmt.Sprint(t.store.Numbers()), "[]"))
		}
	}
	n, err := t.store.Written(t.chain)
	if err != nil {
		return "", session.Failf(session.ExitFiles, "%v", err)
	}
	t.to = n
	switch {
	case t.r.Optimize != nil:
		return "at the best point", nil
	case t.r.Outline().Chains > 1:
		return fmt.Sprintf("by the mean of chain %d", t.store.Number(t.chain)), nil
	}
	return "by the mean", nil
}

// stored are the topics of arrays whose draws, or whose means, are stored.
func (t *topicTable) stored(globs []string) ([]*topics, error) {
	var out []*topics
	take := func(v trace.Variable, x *topics, err error) error {
		if x != nil {
			x.dims = v.Dims
			out = append(out, x)
		}
		return err
	}
	_, moments := t.store.Lookup(run.MomentsGroup, "count")
	for _, v := range session.StoredDraws(t.store) {
		if moments || len(globs) > 0 && !session.Matches(globs, v.Name) {
			// the moments are of all draws
			continue
		}
		x, err := t.ofArray(v)
		if err = take(v, x, err); err != nil {
			return nil, err
		}
	}
	for _, v := range t.store.Variables() {
		name, isMean := cutSuffix(v, ".mean")
		if v.Group != run.MomentsGroup || !isMean ||
			len(globs) > 0 && !session.Matches(globs, name) {
			continue
		}
		as := v
		as.Name = name
		names := session.AxisNames(as, t.names)
		axis := wordAxis(as.Shape, names)
		if axis < 0 {
			continue
		}
		a, err := t.store.Read(v.Group, v.Name)
		if err != nil {
			return nil, err
		}
		x, err := t.rows(as, names, axis, a.At(t.chain, 0))
		if err = take(as, x, err); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// mean is the mean of an array over the draws of the chain.
func (t *topicTable) mean(v trace.Variable) ([]float64, error) {
	n := v.Len()
	sum := make([]float64, n)
	block := max(1, min(t.to-t.from, summaryNumbers/max(1, n)))
	buf := make([]float64, block*n)
	for lo := t.from; lo < t.to; lo += block {
		hi := min(t.to, lo+block)
		if err := t.store.ReadDraws(v, t.chain, lo, hi, buf[:(hi-lo)*n]); err != nil {
			return nil, err
		}
		for d := range hi - lo {
			for i, x := range buf[d*n : (d+1)*n] {
				sum[i] += x
			}
		}
	}
	for i := range sum {
		sum[i] /= float64(t.to - t.from)
	}
	return sum, nil
}

// rows returns the topics of an array with the given mean.
func (t *topicTable) rows(
	v trace.Variable, names [][]string, axis int, mean []float64,
) (*topics, error) {
	out := &topics{of: v.Name}
	step := 1 // from one word to the next
	for _, n := range v.Shape[axis+1:] {
		step *= n
	}
	size := v.Shape[axis]
	rest := slices.Delete(slices.Clone(v.Shape), axis, axis+1)
	restNames := slices.Delete(slices.Clone(names), axis, axis+1)
	count := 1
	for _, n := range rest {
		count *= n
	}
	weight, err := t.weights(v, axis, out)
	if err != nil {
		return nil, err
	}
	row := make([]float64, size)
	for k := range count {
		first := k/step*step*size + k%step
		total, least := 0.0, math.Inf(1)
		for i := range row {
			row[i] = mean[first+i*step]
			total, least = total+row[i], min(least, row[i])
		}
		x := topic{Name: rowName(v.Name, rest, axis, k),
			Label: session.EntryName(rest, restNames, k)}
		share := 0.0
		for _, i := range largestOf(row, t.words) {
			x.Words, x.Means = append(x.Words, names[axis][i]), append(x.Means, run.Float(row[i]))
			share += row[i]
		}
		if least >= 0 && math.Abs(total-1) < 1e-6 {
			f := run.Float(share)
			x.Share = &f
		}
		if t.r.Types[v.Name] == "sphere" && axis == len(v.Shape)-1 {
			length := 0.0
			for _, m := range row {
				length = math.Hypot(length, m)
			}
			f := run.Float(length)
			x.Resultant = &f
		}
		if weight != nil {
			f := run.Float(weight[k])
			x.Weight = &f
		}
		out.list = append(out.list, x)
	}
	return out, nil
}

// weights returns the mean of an array that weighs the rows: a simplex, or else an array of
// positive numbers, along the other axis. It returns nil if there is none.
func (t *topicTable) weights(v trace.Variable, axis int, out *topics) ([]float64, error) {
	if len(v.Shape) != 2 || len(v.Dims) != 2 {
		return nil, nil
	}
	other := 1 - axis
	for _, kind := range []string{"simplex", "positive"} {
		for _, w := range session.StoredDraws(t.store) {
			if len(w.Shape) == 1 && w.Shape[0] == v.Shape[other] && w.Dims[0] == v.Dims[other] &&
				t.r.Types[w.Name] == kind {
				out.weight = w.Name
				return t.mean(w)
			}
		}
	}
	return nil, nil
}

// rowName returns the name of row k of an array without its axis of words: phi[0], or beta[:,0] if
// the axis of words comes before other axes.
func rowName(name string, rest []int, axis, k int) string {
	index := make([]string, len(rest))
	for a := len(rest) - 1; a >= 0; a-- {
		index[a] = fmt.Sprint(k % rest[a])
		k /= rest[a]
	}
	if axis < len(rest) {
		index = slices.Insert(index, axis, ":")
	}
	return name + "[" + strings.Join(index, ",") + "]"
}

// largestOf returns the indices of the n largest numbers, the largest first. Of equal numbers the
// first comes first.
func largestOf(x []float64, n int) []int {
	at := make([]int, 0, n+1)
	for i, v := range x {
		if len(at) == n && !(v > x[at[n-1]]) || math.IsNaN(v) {
			continue
		}
		k := len(at)
		for k > 0 && v > x[at[k-1]] {
			k--
		}
		at = slices.Insert(at, k, i)
		at = at[:min(len(at), n)]
	}
	return at
}

// topicColumns are what is said of a topic besides its words, where any has it.
var topicColumns = []struct {
	head func(t *topics) string
	cell func(x *topic) string
}{
	{func(*topics) string { return "name" }, func(x *topic) string { return x.Label }},
	{func(t *topics) string { return t.weight },
		func(x *topic) string { return optional("%.3f", x.Weight) }},
	{func(*topics) string { return "share" },
		func(x *topic) string { return optional("%.2f", x.Share) }},
	{func(*topics) string { return "resultant" },
		func(x *topic) string { return optional("%.3f", x.Resultant) }},
}

func optional(verb string, x *run.Float) string {
	if x == nil {
		return ""
	}
	return Format(verb, *x)
}

// printTopics writes a table for every array.
func printTopics(w io.Writer, list []*topics, of string) error {
	for _, t := range list {
		first := "largest entries, " + of
		table := Table{Head: []string{"topics of " + t.of},
			Left: map[string]bool{first: true, "name": true}}
		rows := make([][]string, len(t.list))
		for i := range t.list {
			rows[i] = []string{t.list[i].Name}
		}
		for _, c := range topicColumns {
			some := false
			for i := range t.list {
				some = some || c.cell(&t.list[i]) != ""
			}
			if !some {
				continue
			}
			table.Head = append(table.Head, c.head(t))
			for i := range t.list {
				rows[i] = append(rows[i], c.cell(&t.list[i]))
			}
		}
		table.Head = append(table.Head, first)
		for i, x := range t.list {
			table.Add(append(rows[i], strings.Join(x.Words, separator(x.Words)))...)
		}
		fmt.Fprintln(w)
		if err := table.Write(w); err != nil {
			return err
		}
	}
	return nil
}

// separator stands between names: a blank, or a comma where names have blanks.
func separator(words []string) string {
	for _, w := range words {
		if strings.ContainsAny(w, " ,") {
			return ", "
		}
	}
	return " "
}
