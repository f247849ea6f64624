package data

import (
	"strings"
)

// badJSON is JSON that is refused as it is read.
var badJSON = []badInput{
	{
		name: "missing whole file",
		data: []string{"none.json"},
		want: "none.json: error[D0101]: there is no such file",
	},
	{
		name: "no data at all",
		want: "error[D0114]: no value for x : real[N, P]\n" +
			"  declared at m.sg:2\n" +
			"  note: give it with --data x=FILE[:FIELD], or as a key of --data FILE.json\n" +
			"error[D0114]: no value for y : bool[N]\n" +
			"  declared at m.sg:3\n" +
			"  note: give it with --data y=FILE[:FIELD], or as a key of --data FILE.json",
	},
	{
		name:  "empty file",
		files: map[string]string{"d.json": ""},
		data:  []string{"d.json"},
		want:  "d.json: error[D0103]: is empty",
	},
	{
		name:  "truncated gzip",
		files: map[string]string{"d.json.gz": zipped(goodX)[:30]},
		data:  []string{"d.json.gz"},
		want:  "d.json.gz: error[D0104]: the file ends before its data do: it is truncated",
	},
	{
		name: "gzip with a wrong checksum",
		files: map[string]string{"d.json.gz": zipped(goodX)[:len(zipped(goodX))-8] +
			"\x00\x00\x00\x00\x00\x00\x00\x00"},
		data: []string{"d.json.gz"},
		want: "d.json.gz: error[D0104]: cannot be read to its end: gzip: invalid checksum",
	},
	{
		name:  "not gzip",
		files: map[string]string{"d.json.gz": goodX},
		data:  []string{"d.json.gz"},
		want:  "d.json.gz: error[D0104]: cannot be read to its end: gzip: invalid header",
	},
	{
		name:  "truncated bzip2",
		files: map[string]string{"d.json.bz2": "BZh91AY"},
		data:  []string{"d.json.bz2"},
		want:  "d.json.bz2: error[D0104]: the file ends before its data do: it is truncated",
	},
	{
		name:  "json syntax",
		files: map[string]string{"d.json": "{\"x\": [[1, 2],\n  [3, 4],, [5, 6]]}"},
		data:  []string{"d.json"},
		want:  "d.json:2:10: error[D0108]: a value is expected, not \", [5, 6]]}\"",
	},
	{
		name:  "json cut off",
		files: map[string]string{"d.json": "{\"x\": [[1, 2], [3"},
		data:  []string{"d.json"},
		want:  "d.json:1:18: error[D0108]: a comma or ] is expected, not the end of the file",
	},
	{
		name:  "json comment",
		files: map[string]string{"d.json": "// data\n{\"x\": 1}"},
		data:  []string{"d.json"},
		want:  "d.json:1:1: error[D0108]: a value is expected, not \"// data\"",
	},
	{
		name:  "json trailing text",
		files: map[string]string{"d.json": "{\"x\": 1} 2"},
		data:  []string{"d.json"},
		want: "d.json:1:10: error[D0108]: nothing more is expected after the end of the value, not " +
			"\"2\"",
	},
	{
		name:  "json malformed number",
		files: map[string]string{"d.json": "{\"x\": [01]}"},
		data:  []string{"d.json"},
		want:  "d.json:1:8: error[D0108]: malformed number, not \"01]}\"",
	},
	{
		name:  "json nesting",
		files: map[string]string{"d.json": `{"x": ` + strings.Repeat("[", 100) + "}"},
		data:  []string{"d.json"},
		want:  "d.json:1:71: error[D0108]: lists are nested deeper than 64, not \"[[[[[[[[[[[[\"",
	},
	{
		name:  "json ragged",
		files: map[string]string{"d.json": "{\"x\": [[1, 2],\n [3]], \"y\": [0, 1]}"},
		data:  []string{"d.json"},
		want: "d.json:2:2: error[D0107]: $.x[1] has 1 entry, but the lists before it have 2\n" +
			"  declared at m.sg:2",
	},
	{
		name:  "json deeper list",
		files: map[string]string{"d.json": "{\"x\": [[1, 2], [3, [4]]], \"y\": [0, 1]}"},
		data:  []string{"d.json"},
		want: "d.json:1:20: error[D0107]: $.x[1][1] is a list where a number is expected, as " +
			"before it\n" +
			"  declared at m.sg:2",
	},
	{
		name:  "json shallower list",
		files: map[string]string{"d.json": "{\"x\": [[1, 2], 3], \"y\": [0, 1]}"},
		data:  []string{"d.json"},
		want: "d.json:1:16: error[D0107]: $.x[1] is a number where a list is expected, as in the " +
			"lists before it\n" +
			"  declared at m.sg:2",
	},
	{
		name:  "json string",
		files: map[string]string{"d.json": "{\"x\": [[1, \"two\"]], \"y\": [0]}"},
		data:  []string{"d.json"},
		want: "d.json:1:12: error[D0106]: $.x[0][1] is \"two\", and not a number\n" +
			"  declared at m.sg:2",
	},
	{
		name:  "json object",
		files: map[string]string{"d.json": "{\"x\": {\"1\": 2}, \"y\": [0]}"},
		data:  []string{"d.json"},
		want: "d.json:1:7: error[D0106]: $.x is an object, and not a number or list\n" +
			"  declared at m.sg:2",
	},
	{
		name:  "json huge number",
		files: map[string]string{"d.json": "{\"x\": [[1, 1e999]], \"y\": [0]}"},
		data:  []string{"d.json"},
		want: "d.json:1:12: error[D0106]: $.x[0][1] is 1e999, which is beyond the range of float64\n" +
			"  declared at m.sg:2",
	},
	{
		name:  "json key twice",
		files: map[string]string{"d.json": "{\"x\": [[1]], \"y\": [0], \"y\": [1]}"},
		data:  []string{"d.json"},
		want: "d.json: error[D0118]: two fields are called y\n" +
			"  declared at m.sg:3",
	},
	{
		name:  "missing name with a near one",
		files: map[string]string{"d.json": "{\"x\": [[1]], \"yy\": [0]}"},
		data:  []string{"d.json"},
		want: "error[D0114]: no value for y : bool[N]\n" +
			"  declared at m.sg:3\n" +
			"  note: d.json has yy; if that is it: --data y=d.json:yy\n" +
			"  note: give it with --data y=FILE[:FIELD], or as a key of --data FILE.json",
	},
	{
		name:  "unknown name",
		files: map[string]string{"d.json": goodX},
		data:  []string{"d.json", "X=d.json:x"},
		want: "error[D0113]: --data X=d.json:x: X is not an input of the model\n" +
			"  note: did you mean x?",
	},
	{
		name:  "dim by --data",
		files: map[string]string{"d.json": goodX},
		data:  []string{"d.json", "N=d.json:x"},
		want: "error[D0113]: --data N=d.json:x: N is a dim, not an input\n" +
			"  note: give its size with --set N=VALUE",
	},
	{
		name:  "bound twice",
		files: map[string]string{"d.json": goodX},
		data:  []string{"d.json", "y=d.json"},
		want:  "error[D0115]: y is bound twice: by --data d.json and by --data y=d.json",
	},
	{
		name:  "no file after =",
		files: map[string]string{"d.json": goodX},
		data:  []string{"x=", "y=d.json"},
		want:  "error[D0112]: --data x= names no file; write NAME=FILE, NAME=FILE:FIELD or FILE",
	},
	{
		name:  "set malformed",
		files: map[string]string{"d.json": goodX},
		data:  []string{"d.json"},
		set:   []string{"scale"},
		want:  "error[D0117]: --set scale: NAME=VALUE is expected",
	},
	{
		name:  "set no number",
		files: map[string]string{"d.json": goodX},
		data:  []string{"d.json"},
		set:   []string{"scale=big"},
		want:  "error[D0117]: --set scale=big: \"big\" is no number in the range of float64",
	},
	{
		name:  "set an array",
		files: map[string]string{"d.json": goodX},
		data:  []string{"d.json"},
		set:   []string{"x=1"},
		want: "error[D0117]: --set x=1: x has axes, and --set gives single numbers\n" +
			"  note: give it with --data x=FILE",
	},
	{
		name:  "set unknown",
		files: map[string]string{"d.json": goodX},
		data:  []string{"d.json"},
		set:   []string{"skale=1"},
		want: "error[D0113]: --set skale=1: skale is no dim and no input of the model\n" +
			"  note: did you mean scale?",
	},
	{
		name:   "lengths bound twice",
		schema: raggedSchema(),
		files:  map[string]string{"d.json": `{"T": [2, 1], "x": [[[1], [2]], [[3]]]}`},
		data:   []string{"d.json", "T=d.json:T"},
		want:   `error[D0115]: T is bound twice: by --data d.json and by --data T=d.json:T`,
	},
	{
		name:   "lists that differ along an axis that is not ragged",
		schema: raggedSchema(),
		files:  map[string]string{"d.json": `{"x": [[[1], [2]], [[3, 4]]]}`},
		data:   []string{"d.json"},
		want: `d.json: error[D0107]: x[1,0] has 2 entries, but the lists before it have 1, and the axis 1 is not ragged
  declared at m.sg:2`,
	},
}
