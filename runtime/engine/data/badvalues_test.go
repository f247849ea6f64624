package data

import (
	"strings"

	"github.com/sgppl/sgppl/runtime/math/size"
)

// badValues are values in JSON that are refused for what the model declares.
var badValues = []badInput{
	{
		name: "other values than are required",
		schema: &Schema{Inputs: []Input{{Name: "g", Kind: Index, Below: size.Const(3), From: 1,
			Shape: []size.Poly{size.Const(2)}, Place: "m.sg:1", Required: []float64{0, 2},
			RequiredOf: []int{2}, RequiredAt: "m.sg:2"}}},
		files: map[string]string{"d.json": "{\"g\": [1, 2]}"},
		data:  []string{"d.json"},
		want: "d.json: error[D0170]: g[1] is 2, and the model is for 3 alone\n" +
			"  declared at m.sg:2\n" +
			"  note: what the model computes depends on these values; if it was imported, import the " +
			"program again, for these data",
	},
	{
		name:  "null in a real",
		files: map[string]string{"d.json": "{\"x\": [[1, null]], \"y\": [0]}"},
		data:  []string{"d.json"},
		want: "d.json: error[D0131]: x[0,1] is missing (NaN), but real has no missing values\n" +
			"  declared at m.sg:2\n" +
			"  note: declare it real? to model missing entries\n" +
			"  note: --na drop leaves out the rows that have some",
	},
	{
		name:  "NaN in a real",
		files: map[string]string{"d.json": "{\"x\": [[1, \"NaN\"]], \"y\": [0]}"},
		data:  []string{"d.json"},
		want: "d.json: error[D0131]: x[0,1] is missing (NaN), but real has no missing values\n" +
			"  declared at m.sg:2\n" +
			"  note: declare it real? to model missing entries\n" +
			"  note: --na drop leaves out the rows that have some",
	},
	{
		name:  "infinity in a real",
		files: map[string]string{"d.json": "{\"x\": [[1, -Infinity]], \"y\": [0]}"},
		data:  []string{"d.json"},
		want: "d.json: error[D0135]: x[0,1] is -Inf, and real holds finite numbers\n" +
			"  declared at m.sg:2\n" + infiniteNote,
	},
	{
		name:  "label 2 for a bool",
		files: map[string]string{"d.json": "{\"x\": [[1], [2]], \"y\": [0, 2]}"},
		data:  []string{"d.json"},
		want: "d.json: error[D0130]: y[1] is 2, but bool is 0 or 1, or -1 and +1 throughout\n" +
			"  declared at m.sg:3",
	},
	{
		name:  "signs and zeros in a bool",
		files: map[string]string{"d.json": "{\"x\": [[1], [2], [3]], \"y\": [-1, 0, 1]}"},
		data:  []string{"d.json"},
		want: "d.json: error[D0130]: y[0] is -1, but bool is 0 or 1, or -1 and +1 throughout\n" +
			"  declared at m.sg:3",
	},
	{
		name: "many errors in one input",
		files: map[string]string{"d.json": `{"x": [` + strings.Repeat("[1],", 19) + `[1]], "y": [` +
			strings.Repeat("7,", 19) + `7]}`},
		data: []string{"d.json"},
		want: "d.json: error[D0130]: y[0] is 7, but bool is 0 or 1, or -1 and +1 throughout\n" +
			"  declared at m.sg:3\n" +
			"d.json: error[D0130]: y[1] is 7, but bool is 0 or 1, or -1 and +1 throughout\n" +
			"  declared at m.sg:3\n" +
			"d.json: error[D0130]: y[2] is 7, but bool is 0 or 1, or -1 and +1 throughout\n" +
			"  declared at m.sg:3\n" +
			"d.json: error[D0130]: y[3] is 7, but bool is 0 or 1, or -1 and +1 throughout\n" +
			"  declared at m.sg:3\n" +
			"d.json: error[D0130]: y[4] is 7, but bool is 0 or 1, or -1 and +1 throughout\n" +
			"  declared at m.sg:3\n" +
			"  note: 15 more entries of y are not in its type",
	},
	{
		name:  "every input wrong",
		files: map[string]string{"d.json": "{\"x\": [[null], [2]], \"y\": [0, 3], \"scale\": 0}"},
		data:  []string{"d.json"},
		want: "d.json: error[D0130]: scale is 0, but positive is a number above 0\n" +
			"  declared at m.sg:4\n" +
			"  note: declare it nonnegative where 0 is a value\n" +
			"d.json: error[D0131]: x[0,0] is missing (NaN), but real has no missing values\n" +
			"  declared at m.sg:2\n" +
			"  note: declare it real? to model missing entries\n" +
			"  note: --na drop leaves out the rows that have some\n" +
			"d.json: error[D0130]: y[1] is 3, but bool is 0 or 1, or -1 and +1 throughout\n" +
			"  declared at m.sg:3",
	},
	{
		name:  "vector for a matrix",
		files: map[string]string{"d.json": "{\"x\": [1, 2], \"y\": [0, 1]}"},
		data:  []string{"d.json"},
		want: "d.json: error[D0121]: x has shape [2], but real[N, P] is declared\n" +
			"  declared at m.sg:2",
	},
	{
		name:  "size of a dim",
		files: map[string]string{"d.json": "{\"x\": [[1], [2]], \"y\": [0, 1], \"N\": 3}"},
		data:  []string{"d.json"},
		want: "d.json: error[D0120]: sizes disagree on N: 3 by key N of d.json, 2 by x " +
			"(d.json:x, axis 0)\n" +
			"  declared at m.sg:2\n" +
			"d.json: error[D0120]: sizes disagree on N: 3 by key N of d.json, 2 by y (d.json:y, axis 0)\n" +
			"  declared at m.sg:3",
	},
	{
		name: "dim that is no size",
		files: map[string]string{"d.json": "{\"x\": [[1], [2]], \"y\": [0, 1], \"N\": 1.5, " +
			"\"P\": [1, 2]}"},
		data: []string{"d.json"},
		want: "d.json: error[D0124]: N is a dim, but its key is 1.5; a size is a whole number of " +
			"at least 0\n" +
			"  declared at m.sg:1\n" +
			"d.json: error[D0124]: P is a dim, but its key has shape [2]; a size is one whole number\n" +
			"  declared at m.sg:1",
	},
	{
		name:  "dim clash with --set",
		files: map[string]string{"d.json": goodX},
		data:  []string{"d.json"},
		set:   []string{"N=4"},
		want: "d.json: error[D0120]: sizes disagree on N: 4 by --set N=4, 3 by x (d.json:x, axis 0)\n" +
			"  declared at m.sg:2\n" +
			"d.json: error[D0120]: sizes disagree on N: 4 by --set N=4, 3 by y (d.json:y, axis 0)\n" +
			"  declared at m.sg:3",
	},
	{
		name:  "set out of range",
		files: map[string]string{"d.json": goodX},
		data:  []string{"d.json"},
		set:   []string{"scale=-1"},
		want: "--set scale=-1: error[D0130]: scale is -1, but positive is a number above 0\n" +
			"  declared at m.sg:4",
	},
	{
		name:  "set half a size",
		files: map[string]string{"d.json": goodX},
		data:  []string{"d.json"},
		set:   []string{"N=2.5"},
		want:  "error[D0124]: --set N=2.5: N is a dim, and a size is a whole number of at least 0",
	},
	{
		name:   "size unknown",
		schema: one(Input{Kind: Real}),
		files:  map[string]string{"d.json": "{\"v\": 1}"},
		data:   []string{"d.json"},
		want: "error[D0123]: the size of N is unknown: no input that was given has it\n" +
			"  declared at m.sg:1\n" +
			"  note: give it with --set N=VALUE, or as a key N of a JSON file",
	},
	{
		name:   "count below 0",
		schema: one(Input{Kind: Count, Shape: shape("N")}),
		files:  map[string]string{"d.json": "{\"v\": [1, -1]}"},
		data:   []string{"d.json"},
		want: "d.json: error[D0130]: v[1] is -1, but count is a whole number of at least 0\n" +
			"  declared at m.sg:7",
	},
	{
		name:   "count not whole",
		schema: one(Input{Kind: Count, Shape: shape("N")}),
		files:  map[string]string{"d.json": "{\"v\": [1, 0.5]}"},
		data:   []string{"d.json"},
		want: "d.json: error[D0133]: v[1] is 0.5, but count is a whole number of at least 0\n" +
			"  declared at m.sg:7",
	},
	{
		name:   "int too large",
		schema: one(Input{Kind: Int, Shape: shape("N")}),
		files:  map[string]string{"d.json": "{\"v\": [1, 9007199254740993]}"},
		data:   []string{"d.json"},
		want: "d.json: error[D0133]: v[1] is 9007199254740992, from 2^53 on, where whole " +
			"numbers are rounded, but int is a whole number\n" +
			"  declared at m.sg:7",
	},
	{
		name:   "index that counts from 1",
		schema: one(Input{Kind: Index, Below: size.Const(3), Shape: shape("N")}),
		files:  map[string]string{"d.json": "{\"v\": [1, 3, 2, 3]}"},
		data:   []string{"d.json"},
		want: "d.json: error[D0130]: v[1] is 3, but index[3] is a whole number from 0 to 2\n" +
			"  declared at m.sg:7\n" +
			"  note: it is 3 once more: v[3]\n" +
			"  note: no entry is below 1 or above 3: if they count from 1, declare index[3] from 1",
	},
	{
		name:   "index that counts from 0 and has a value too many",
		schema: one(Input{Kind: Index, Below: size.Const(3), Shape: shape("N")}),
		files:  map[string]string{"d.json": "{\"v\": [0, 3, 2]}"},
		data:   []string{"d.json"},
		want: "d.json: error[D0130]: v[1] is 3, but index[3] is a whole number from 0 to 2\n" +
			"  declared at m.sg:7",
	},
	{
		name:   "index out of range",
		schema: one(Input{Kind: Index, Below: size.Const(3), From: 1, Shape: shape("N")}),
		files:  map[string]string{"d.json": "{\"v\": [1, 3, 4, 0]}"},
		data:   []string{"d.json"},
		want: "d.json: error[D0130]: v[2] is 4, but index[3] from 1 is a whole number from 1 to 3\n" +
			"  declared at m.sg:7\n" +
			"d.json: error[D0130]: v[3] is 0, but index[3] from 1 is a whole number from 1 to 3\n" +
			"  declared at m.sg:7",
	},
	{
		name:   "unit beyond its ends",
		schema: one(Input{Kind: Unit, Shape: shape("N")}),
		files:  map[string]string{"d.json": "{\"v\": [0, 1, 1.25]}"},
		data:   []string{"d.json"},
		want: "d.json: error[D0130]: v[2] is 1.25, but unit is a number from 0 to 1\n" +
			"  declared at m.sg:7",
	},
	{
		name: "unit at an end where its law has no density",
		schema: one(Input{Kind: Unit, Shape: shape("N"),
			Open: []OpenEnd{{0, "beta", "m.sg:9"}, {1, "beta", "m.sg:9"}}}),
		files: map[string]string{"d.json": "{\"v\": [0.5, 1]}"},
		data:  []string{"d.json"},
		want: "d.json: error[D0130]: v[1] is 1, where beta has no finite density (m.sg:9)\n" +
			"  declared at m.sg:7\n" +
			"  note: leave such rows out, move them inside, or give the ends a probability of " +
			"their own: rows at an end by a bernoulli, the others by beta",
	},
	{
		name:   "nonnegative below 0",
		schema: one(Input{Kind: Nonnegative, Shape: shape("N")}),
		files:  map[string]string{"d.json": "{\"v\": [0, -1]}"},
		data:   []string{"d.json"},
		want: "d.json: error[D0130]: v[1] is -1, but nonnegative is a number of at least 0\n" +
			"  declared at m.sg:7",
	},
	{
		name:   "positive at 0",
		schema: one(Input{Kind: Positive, Shape: shape("N")}),
		files:  map[string]string{"d.json": "{\"v\": [0, 2]}"},
		data:   []string{"d.json"},
		want: "d.json: error[D0130]: v[0] is 0, but positive is a number above 0\n" +
			"  declared at m.sg:7\n" +
			"  note: declare it nonnegative where 0 is a value",
	},
	{
		name: "interval",
		schema: one(Input{Kind: Interval, Lo: End{Value: -1}, Hi: End{Value: 2.5},
			Shape: shape("N")}),
		files: map[string]string{"d.json": "{\"v\": [0, 3]}"},
		data:  []string{"d.json"},
		want: "d.json: error[D0130]: v[1] is 3, but interval(-1, 2.5) is a number from -1 to 2.5\n" +
			"  declared at m.sg:7",
	},
	{
		name:   "interval empty",
		schema: one(Input{Kind: Interval, Lo: End{Value: 3}, Hi: End{Value: 2}, Shape: shape("N")}),
		files:  map[string]string{"d.json": "{\"v\": [0, 3]}"},
		data:   []string{"d.json"},
		want: "d.json: error[D0134]: v : interval(3, 2) in shape [N] is empty, as its ends are 3 and " +
			"2\n" +
			"  declared at m.sg:7",
	},
	{
		name:   "simplex",
		schema: one(Input{Kind: Simplex, Own: 1, Shape: shape("N", 2)}),
		files:  map[string]string{"d.json": "{\"v\": [[0.5, 0.5], [0.5, 0.6]]}"},
		data:   []string{"d.json"},
		want: "d.json: error[D0132]: v[1] sums to 1.1, not to 1 (simplex[2])\n" +
			"  declared at m.sg:7",
	},
	{
		name:   "simplex below 0",
		schema: one(Input{Kind: Simplex, Own: 1, Shape: shape("N", 2)}),
		files:  map[string]string{"d.json": "{\"v\": [[1.5, -0.5]]}"},
		data:   []string{"d.json"},
		want: "d.json: error[D0130]: v[0,1] is -0.5, but simplex[2] is a number of at least 0\n" +
			"  declared at m.sg:7",
	},
	{
		name:   "sphere",
		schema: one(Input{Kind: Sphere, Own: 1, Shape: shape("N", 2)}),
		files:  map[string]string{"d.json": "{\"v\": [[0.6, 0.8], [1, 1]]}"},
		data:   []string{"d.json"},
		want: "d.json: error[D0132]: v[1] has length 1.4142135623730951, not 1 (sphere[2])\n" +
			"  declared at m.sg:7",
	},
	{
		name:   "ordered",
		schema: one(Input{Kind: Ordered, Own: 1, Shape: shape("N")}),
		files:  map[string]string{"d.json": "{\"v\": [1, 3, 3]}"},
		data:   []string{"d.json"},
		want: "d.json: error[D0132]: v[2] is 3, which is not above the entry before it, 3 " +
			"(ordered[N])\n" +
			"  declared at m.sg:7",
	},
	{
		name:   "declared size",
		schema: one(Input{Kind: Real, Shape: shape("N", 3)}),
		files:  map[string]string{"d.json": "{\"v\": [[1, 2], [3, 4]]}"},
		data:   []string{"d.json"},
		want: "d.json: error[D0122]: v (d.json:v, axis 1) has size 2, but 3 is declared\n" +
			"  declared at m.sg:7",
	},
	{
		name:   "size minus one",
		schema: one(Input{Kind: Real, Shape: shape(size.Dim("N").Mul(size.Const(2)))}),
		files:  map[string]string{"d.json": "{\"v\": [1, 2, 3]}"},
		data:   []string{"d.json"},
		want: "d.json: error[D0122]: v (d.json:v, axis 0) has size 3, but no whole N makes 2*N that\n" +
			"  declared at m.sg:7",
	},
	{
		name:   "bool given as an array of arrays",
		schema: one(Input{Kind: Bool}),
		files:  map[string]string{"d.json": "{\"v\": [0, 1]}"},
		data:   []string{"d.json"},
		want: "d.json: error[D0121]: v has shape [2], but bool is declared\n" +
			"  declared at m.sg:7\n" +
			"error[D0123]: the size of N is unknown: no input that was given has it\n" +
			"  declared at m.sg:1\n" +
			"  note: give it with --set N=VALUE, or as a key N of a JSON file",
	},
	{
		name:   "rows of one name, lengths of two",
		schema: raggedSchema(),
		files:  map[string]string{"d.json": `{"x": [[[1], [2]], [[3]]], "z": [[1], [2]]}`},
		data:   []string{"d.json"},
		want: `d.json: error[D0129]: lengths disagree on T in row 0 of S: 2 by x, 1 by z
  declared at m.sg:3`,
	},
	{
		name:   "one size for a ragged dim",
		schema: raggedSchema(),
		files:  map[string]string{"d.json": `{"x": [[[1], [2]], [[3]]]}`},
		data:   []string{"d.json"},
		set:    []string{"T=3"},
		want: `error[D0126]: --set T=3: T is ragged and has a length for each row of S
  note: the data give them: lists of different lengths, or an array of lengths with --data T=FILE`,
	},
	{
		name:   "a ragged dim as one number",
		schema: raggedSchema(),
		files:  map[string]string{"d.json": `{"T": 2, "x": [[[1], [2]], [[3]]]}`},
		data:   []string{"d.json"},
		want: `d.json: error[D0126]: T is one number, but T is ragged and has a length for each row of S
  declared at m.sg:1`,
	},
	{
		name:   "lengths below 0",
		schema: raggedSchema(),
		files:  map[string]string{"d.json": `{"T": [2, -1], "x": [[[1], [2]], [[3]]]}`},
		data:   []string{"d.json"},
		want: `d.json: error[D0130]: T[1] is -1, but a length is a whole number of at least 0
  declared at m.sg:1`,
	},
	{
		name:   "lengths of fewer rows",
		schema: raggedSchema(),
		files:  map[string]string{"d.json": `{"T": [2], "x": [[[1], [2]], [[3]]]}`},
		data:   []string{"d.json"},
		want: `d.json: error[D0120]: sizes disagree on S: 1 by T (d.json:T, axis 0), 2 by x (d.json:x, axis 0)
  declared at m.sg:2`,
	},
	{
		name:   "lengths as a matrix",
		schema: raggedSchema(),
		files:  map[string]string{"d.json": `{"T": [[2], [1]], "x": [[[1], [2]], [[3]]]}`},
		data:   []string{"d.json"},
		want: `d.json: error[D0121]: the lengths of T are an array along S, and this has shape [2, 1]
  declared at m.sg:1`,
	},
	{
		name:   "rows longer than their padding",
		schema: raggedSchema(),
		files:  map[string]string{"d.json": `{"T": [2, 3], "x": [[[1], [2]], [[3], [0]]]}`},
		data:   []string{"d.json"},
		want: `d.json: error[D0129]: x has room for 2 along axis 1, but row 1 of T is 3 long
  declared at m.sg:2`,
	},
	{
		name:   "lists nested too little",
		schema: raggedSchema(),
		files:  map[string]string{"d.json": `{"x": [1, 2]}`},
		data:   []string{"d.json"},
		want: `d.json: error[D0121]: x has shape [2], but real[S, T, 1] is declared
  declared at m.sg:2`,
	},
	{
		name:   "cells of another size",
		schema: raggedSchema(),
		files:  map[string]string{"d.json": `{"x": [[[1, 2], [2, 3]], [[3, 4]]]}`},
		data:   []string{"d.json"},
		want: `d.json: error[D0122]: x (d.json:x, axis 2) has size 2, but 1 is declared
  declared at m.sg:2`,
	},
	{
		name:   "an entry of a ragged row",
		schema: raggedSchema(),
		files: map[string]string{
			"d.json": `{"x": [[[1], [2]], [[1], [null], [3]]], "z": [[1, -2], [3, 4, 0]]}`},
		data: []string{"d.json"},
		want: `d.json: error[D0131]: x[1,1,0] is missing (NaN), but real has no missing values
  declared at m.sg:2
  note: declare it real? to model missing entries
d.json: error[D0130]: z[0,1] is -2, but positive is a number above 0
  declared at m.sg:3
d.json: error[D0130]: z[1,2] is 0, but positive is a number above 0
  declared at m.sg:3`,
	},
	{
		name:   "lists of indices",
		schema: one(Input{Kind: Bool, Listed: true, From: 21, Shape: shape("N", 3)}),
		files: map[string]string{
			"d.json": `{"v": [[21, 22], [24, 20, 21.5, null], [], [22, 23, 22]]}`},
		data: []string{"d.json"},
		want: `d.json: error[D0130]: v[1,0] is 24, but bool[3] from 21 lists the indices that are on, from 21 to 23
  declared at m.sg:7
d.json: error[D0130]: v[1,1] is 20, but bool[3] from 21 lists the indices that are on, from 21 to 23
  declared at m.sg:7
d.json: error[D0133]: v[1,2] is 21.5, but bool[3] from 21 lists the indices that are on
  declared at m.sg:7
d.json: error[D0131]: v[1,3] is missing (NaN), but bool[3] from 21 lists the indices that are on
  declared at m.sg:7
d.json: error[D0130]: v[3,2] is 22 once more, but bool[3] from 21 lists each index that is on once
  declared at m.sg:7`,
	},
	{
		name:   "rows of zeros and ones where indices are listed",
		schema: one(Input{Kind: Bool, Listed: true, Shape: shape("N", 3)}),
		files:  map[string]string{"d.json": `{"v": [[0, 1, 1], [0, 1, 0]]}`},
		data:   []string{"d.json"},
		want: `d.json: error[D0130]: v[0,2] is 1 once more, but bool[3] from 0 lists each index that is on once
  declared at m.sg:7
  note: rows of 0 and 1 are declared without from
d.json: error[D0130]: v[1,2] is 0 once more, but bool[3] from 0 lists each index that is on once
  declared at m.sg:7`,
	},
	{
		name:   "lists of indices nested too deep",
		schema: one(Input{Kind: Bool, Listed: true, Shape: shape("N", 3)}),
		files:  map[string]string{"d.json": `{"v": [[[1]], [[2, 1]]]}`},
		data:   []string{"d.json"},
		want: `d.json: error[D0121]: v has lists nested 3 deep, but bool[3] from 0 in shape [N] is declared, whose lists of indices are nested 2 deep
  declared at m.sg:7`,
	},
	{
		name:   "an index far away",
		schema: one(Input{Kind: Bool, Listed: true, Shape: shape("N", "K")}),
		files:  map[string]string{"d.json": `{"v": [[0], [1e15]]}`},
		data:   []string{"d.json"},
		want: "d.json: error[D0128]: v takes 2 × 1000000000000001 entries: they are too many\n" +
			"  declared at m.sg:7",
	},
	{
		name: "no lengths",
		schema: &Schema{Dims: []Dim{{Name: "N"}, {Name: "T", Of: "N", Place: "m.sg:1"}},
			Inputs: []Input{{Name: "z", Shape: shape("N")}}},
		files: map[string]string{"d.json": `{"z": 1}`},
		data:  []string{"z=d.json"},
		set:   []string{"N=1"},
		want: `error[D0123]: the lengths T of the rows of N are unknown: no input that was given has them
  declared at m.sg:1
  note: give them with --data T=FILE, or as a key T of a JSON file, one for each of N`,
	},
}
