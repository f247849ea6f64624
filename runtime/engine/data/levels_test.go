package data

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/size"
)

// groups is a schema with two indices of a dim, a number, a bool and a date.
func groups() *Schema {
	return &Schema{
		Dims: []Dim{{Name: "N", Place: "m.sg:1"}, {Name: "G", Place: "m.sg:1"}},
		Inputs: []Input{
			{Name: "home", Kind: Index, Below: size.Dim("G"), Shape: shape("N"), Default: true,
				Place: "m.sg:2"},
			{Name: "away", Kind: Index, Below: size.Dim("G"), Shape: shape("N"), From: 1,
				Default: true, Place: "m.sg:3"},
			{Name: "b", Kind: Bool, Shape: shape("N"), Default: true, Place: "m.sg:4"},
			{Name: "t", Kind: Real, Shape: shape("N"), Default: true, Place: "m.sg:5"},
			{Name: "k", Kind: Index, Below: size.Const(2), Shape: shape("N"), Default: true,
				Place: "m.sg:6"},
		},
	}
}

// TestLevels: words of columns are levels of the dim of their index, in the order of
// appearance or as asked for, and true, yes and dates are numbers.
func TestLevels(t *testing.T) {
	days := func(x ...float64) string { return "t=" + fmt.Sprint(x) }
	for _, c := range []struct {
		name, csv string
		data      []string
		opt       Options
		labels    []string
		want      string
	}{
		{"by appearance", "home\nb\na\nb\n", nil, Options{}, []string{"b", "a"}, "home=[0 1 0]"},
		{"sorted", "home\nb\na\nb\n", nil, Options{Levels: []string{"G=sorted"}},
			[]string{"a", "b"}, "home=[1 0 1]"},
		{"a list", "home\nlow\nhigh\n", nil, Options{Levels: []string{"G=low, mid,high"}},
			[]string{"low", "mid", "high"}, "home=[0 2]"},
		{"a reference level", "home\nb\na\nc\n", nil, Options{Levels: []string{"G=c,..."}},
			[]string{"c", "b", "a"}, "home=[1 2 0]"},
		{"two columns of a dim, declared from 0 and from 1", "away,home\nb,a\nc,b\n", nil,
			Options{}, []string{"a", "b", "c"}, "home=[0 1] away=[1 2]"},
		{"quotes and blanks", "home\n\"a, b\"\n  c d \n\"a, b\"\n", nil, Options{},
			[]string{"a, b", "c d"}, "home=[0 1 0]"},
		{"numbers that are asked for", "home\n10\n9\n10\n", nil,
			Options{Levels: []string{"G=sorted"}}, []string{"9", "10"}, "home=[1 0 1]"},
		{"numbers beside words", "home\n10\nx\n9\n", nil, Options{Levels: []string{"G=appearance"}},
			[]string{"10", "x", "9"}, "home=[0 1 2]"},
		{"levels of a run", "home\nb\nb\n", nil,
			Options{Labels: map[string][]string{"G": {"a", "b"}}}, []string{"a", "b"},
			"home=[1 1]"},
		{"numbers that are levels of a run", "home\n9\n", nil,
			Options{Levels: []string{"G=sorted"}, Labels: map[string][]string{"G": {"5", "9"}}},
			[]string{"5", "9"}, "home=[1]"},
		{"numbers with the levels of a run", "home\n1\n", nil,
			Options{Labels: map[string][]string{"G": {"5", "9"}}}, []string{"5", "9"}, "home=[1]"},
		{"some rows", "home\nb\na\nb\nc\n", []string{"home=d.csv:rows=1:3"}, Options{},
			[]string{"a", "b"}, "home=[0 1]"},
		{"true and another word", "home\nTRUE\nx\n", nil, Options{}, []string{"true", "x"},
			"home=[0 1]"},
		{"true and false of an index", "k\nTRUE\nfalse\n", nil, Options{}, nil, "k=[1 0]"},
		{"yes and no", "b,t\nyes,No\nno,YES\n", nil, Options{}, nil, "b=[1 0] t=[0 1]"},
		{"yes and no are levels of an index", "home\nyes\nno\n", nil, Options{},
			[]string{"yes", "no"}, "home=[0 1]"},
		{"days", "t\n1970-01-02\n2024-02-29\n1969-12-31 12:00\n", nil, Options{}, nil,
			days(1, 19782, -0.5)},
		{"seconds", "when\n1970-01-01T00:01:00.5Z\n1970-01-01T01:00:00+01:00\n",
			[]string{"t=d.csv:when:unit=seconds"}, Options{}, nil, days(60.5, 0)},
		{"a missing date", "t,b\n1970-01-02,1\n", nil, Options{}, nil, "b=[1] " + days(1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			os.WriteFile("d.csv", []byte(c.csv), 0o644)
			if c.data == nil {
				c.data = []string{"d.csv"}
			}
			var set []string
			if c.labels == nil {
				set = []string{"G=1"}
			}
			b, _, errs := Bind(groups(), c.data, set, c.opt)
			if errs != nil {
				t.Fatal(errs[0])
			}
			var out []string
			for _, in := range groups().Inputs {
				if v := b.Values[in.Name]; v != nil {
					out = append(out, fmt.Sprintf("%s=%v", in.Name, v.Floats()))
				}
			}
			if got := strings.Join(out, " "); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if !slices.Equal(b.Labels["G"], c.labels) ||
				c.labels != nil && b.Dims["G"] != len(c.labels) {
				t.Errorf("levels %q of %d, want %q", b.Labels["G"], b.Dims["G"], c.labels)
			}
		})
	}
}

// TestManyWords: a column with more words than levels may be is an error where it is
// bound, and only there.
func TestManyWords(t *testing.T) {
	var b strings.Builder
	b.WriteString("home,t\n")
	for i := range 1<<20 + 1 {
		fmt.Fprintf(&b, "w%d,1\n", i)
	}
	t.Chdir(t.TempDir())
	os.WriteFile("d.csv", []byte(b.String()), 0o644)
	if _, _, errs := Bind(groups(), []string{"home=d.csv"}, nil, Options{}); len(errs) == 0 ||
		errs[0].Code != "D0106" {
		t.Errorf("%v", errs)
	}
	bound, _, errs := Bind(groups(), []string{"t=d.csv"}, []string{"G=1"}, Options{})
	if errs != nil || math.Abs(bound.Values["t"].Floats()[5]-1) > 0 {
		t.Errorf("%v", errs)
	}
}

// TestLevelsOfTexts: programs number their texts as files of them are.
func TestLevelsOfTexts(t *testing.T) {
	codes, levels := Levels([]string{"b", "a", "b"})
	if !slices.Equal(codes, []int{0, 1, 0}) || !slices.Equal(levels, []string{"b", "a"}) {
		t.Errorf("%v %v", codes, levels)
	}
	codes, err := LevelCodes([]string{"a", "a", "b"}, levels)
	if err != nil || !slices.Equal(codes, []int{1, 1, 0}) {
		t.Errorf("%v %v", codes, err)
	}
	if _, err := LevelCodes([]string{"a", "bb"}, []string{"a", "bbb"}); err == nil ||
		!strings.Contains(err.Error(), "did you mean bbb?") {
		t.Errorf("%v", err)
	}
}

// badLevels are words that cannot be read.
var badLevels = []badInput{
	{
		name: "words and numbers", schema: groups(),
		files: map[string]string{"d.csv": "home\nx\n7\n"}, data: []string{"d.csv"},
		want: "d.csv:2:1: error[D0106]: \"x\" is no number (column home)\n  declared at m.sg:2\n" +
			"  note: words and numbers are in one column: --levels G=appearance takes the " +
			"numbers as levels too",
	},
	{
		name: "words in one column and numbers in another", schema: groups(),
		files: map[string]string{"d.csv": "home,away\nx,1\n"}, data: []string{"d.csv"},
		want: "error[D0166]: away has numbers, and home has words: both are indices of G\n" +
			"  note: --levels G=appearance takes the numbers as levels too",
	},
	{
		name: "a level that the run does not have", schema: groups(),
		files:  map[string]string{"d.csv": "home,away\nb,a\nKenedy,a\nKenedy,b\nx,a\n"},
		data:   []string{"d.csv"},
		labels: map[string][]string{"G": {"a", "b", "Kennedy"}},
		want: "d.csv:3: error[D0165]: \"Kenedy\" is no level of G, which has a, b and Kennedy\n" +
			"  declared at m.sg:2\n  note: did you mean Kennedy?\n" +
			"  note: the levels are those that G had when the model was fitted; leave such rows " +
			"out, or fit it with them, or predict with --new-levels, which draws the unknowns of " +
			"others from their prior\n" +
			"d.csv:5: error[D0165]: \"x\" is no level of G, which has a, b and Kennedy\n" +
			"  declared at m.sg:2\n" +
			"  note: the levels are those that G had when the model was fitted; leave such rows " +
			"out, or fit it with them, or predict with --new-levels, which draws the unknowns of " +
			"others from their prior",
	},
	{
		name: "a level that the list does not have", schema: groups(),
		files: map[string]string{"d.csv": "home\na\nc\n"}, data: []string{"d.csv"},
		levels: []string{"G=a,b"},
		want: "error[D0165]: \"c\" of d.csv:home is not among the levels of --levels G=a,b\n" +
			"  note: add it, or end the list in ... for those that are not named: --levels G=a,b,...",
	},
	{
		name: "malformed orders", schema: groups(),
		files: map[string]string{"d.csv": "t,home\n1,x\n"}, data: []string{"d.csv"},
		levels: []string{"G", "G=a,,b", "H=sorted", "G=sorted", "G=appearance"},
		want: "error[D0167]: --levels G: DIM=appearance, DIM=sorted or DIM=LEVEL,LEVEL,… is " +
			"expected, each level once\n" +
			"error[D0167]: --levels G=a,,b: DIM=appearance, DIM=sorted or DIM=LEVEL,LEVEL,… is " +
			"expected, each level once\n" +
			"error[D0113]: --levels H=sorted: H is no dim of the model\n" +
			"error[D0115]: G has its levels twice, the second time by --levels G=appearance",
	},
	{
		name: "words of an index without a dim", schema: groups(),
		files: map[string]string{"d.csv": "k,home\nx,x\n"}, data: []string{"d.csv"},
		want: "d.csv:2:1: error[D0106]: \"x\" is no number (column k)\n  declared at m.sg:6\n" +
			"  note: words are the levels of a dim that has a name: declare dim G and k : index[G]",
	},
	{
		name: "words of a bool and of a number", schema: groups(),
		files: map[string]string{"d.csv": "b,t,home\nmale,x,x\n"}, data: []string{"d.csv"},
		want: "d.csv:2:1: error[D0106]: \"male\" is no number (column b)\n  declared at m.sg:4\n" +
			"  note: a bool is true or false, yes or no, or 1 or 0\n" +
			"d.csv:2:6: error[D0106]: \"x\" is no number (column t)\n  declared at m.sg:5\n" +
			"  note: where words are groups, declare dim G and t : index[G]: each word is then a level",
	},
	{
		name: "a size that the words do not have", schema: groups(),
		files: map[string]string{"d.csv": "home\na\nc\n"}, data: []string{"d.csv"},
		set:  []string{"G=3"},
		want: "error[D0120]: sizes disagree on G: 3 by --set G=3, 2 by the words of d.csv:home",
	},
	{
		name: "two columns of one name", schema: groups(),
		files: map[string]string{"d.csv": "home,home\na,b\n"}, data: []string{"d.csv"},
		set: []string{"G=3"},
		want: "d.csv:2:1: error[D0106]: \"a\" is no number (column home)\n  declared at m.sg:2\n" +
			"d.csv: error[D0118]: two fields are called home\n  declared at m.sg:2",
	},
}

// TestSortedLevels: the order of levels does not depend on the order of the rows, also with words
// that a parser of numbers takes but no number is compared with.
func TestSortedLevels(t *testing.T) {
	want := []string{"-inf", "2", "10", "Inf", "NaN", "a", "nan"}
	words := slices.Clone(want)
	for range words {
		words = append(words[1:], words[0])
		for _, w := range [][]string{words, slices.Clone(words)} {
			slices.Reverse(w)
			if got := sortedLevels(w); !slices.Equal(got, want) {
				t.Errorf("%v are sorted as %v", w, got)
			}
		}
	}
}
