package data

import (
	"strings"

	"github.com/sgppl/sgppl/runtime/size"
)

// badInputs is walked by TestBadInputs; every code of the table occurs.
var badInputs = []badInput{
	{
		name: "missing file",
		data: []string{"x=none.csv:a", "y=none.csv:b"},
		want: "none.csv: error[D0101]: there is no such file",
	},
	{
		name: "missing whole file",
		data: []string{"none.json"},
		want: "none.json: error[D0101]: there is no such file",
	},
	{
		name:  "directory",
		files: map[string]string{"dir": "/"},
		data:  []string{"x=dir"},
		want: "dir: error[D0102]: is a directory, and a file is expected\n" +
			"error[D0114]: no value for y : bool[N]\n" +
			"  declared at m.sg:3\n" +
			"  note: give it with --data y=FILE[:FIELD], or as a key of --data FILE.json",
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
		name:  "empty csv",
		files: map[string]string{"x.csv": "\n\n"},
		data:  []string{"x.csv"},
		want:  "x.csv: error[D0103]: holds no header and no rows",
	},
	{
		name:  "empty gzip",
		files: map[string]string{"x.csv.gz": ""},
		data:  []string{"x.csv.gz"},
		want:  "x.csv.gz: error[D0103]: is empty",
	},
	{
		name:  "truncated gzip",
		files: map[string]string{"d.json.gz": zipped(goodX)[:30]},
		data:  []string{"d.json.gz"},
		want:  "d.json.gz: error[D0104]: the file ends before its data do: it is truncated",
	},
	{
		name:  "gzip with a wrong checksum",
		files: map[string]string{"d.json.gz": zipped(goodX)[:len(zipped(goodX))-8] + "\x00\x00\x00\x00\x00\x00\x00\x00"},
		data:  []string{"d.json.gz"},
		want:  "d.json.gz: error[D0104]: cannot be read to its end: gzip: invalid checksum",
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
		name:  "unsupported format",
		files: map[string]string{"x.xlsx": "PK\x03\x04"},
		data:  []string{"x=x.xlsx:a"},
		want: "x.xlsx: error[D0105]: files ending in .xlsx cannot be read\n" +
			"  note: what can be read: json (.json), csv (.csv), tsv (.tsv .tab), ldac (.ldac .lda-c), docword (.docword), libsvm (.libsvm .svm .svmlight), npy (.npy), npz (.npz), parquet (.parquet .pq), idx (.idx .idx1-ubyte .idx2-ubyte .idx3-ubyte) and text (.txt .dat); .gz and .bz2 of any\n" +
			"  note: or say what it is: x.xlsx:format=NAME\n" +
			"error[D0114]: no value for y : bool[N]\n" +
			"  declared at m.sg:3\n" +
			"  note: give it with --data y=FILE[:FIELD], or as a key of --data FILE.json",
	},
	{
		name:  "Parquet by its name alone",
		files: map[string]string{"x.parquet": "PAR1 and no more PAR1"},
		data:  []string{"x=x.parquet:a"},
		want: "x.parquet: error[D0163]: this program has no reader of parquet\n" +
			"  note: a Go program has one that imports _ \"github.com/sgppl/sgppl/parquet\"; the command sgppl does\n" +
			"error[D0114]: no value for y : bool[N]\n" +
			"  declared at m.sg:3\n" +
			"  note: give it with --data y=FILE[:FIELD], or as a key of --data FILE.json",
	},
	{
		name:  "unknown content",
		files: map[string]string{"x": "hello"},
		data:  []string{"x=x"},
		want: "x: error[D0105]: its format is not known\n" +
			"  note: what can be read: json (.json), csv (.csv), tsv (.tsv .tab), ldac (.ldac .lda-c), docword (.docword), libsvm (.libsvm .svm .svmlight), npy (.npy), npz (.npz), parquet (.parquet .pq), idx (.idx .idx1-ubyte .idx2-ubyte .idx3-ubyte) and text (.txt .dat); .gz and .bz2 of any\n" +
			"  note: or say what it is: x:format=NAME\n" +
			"error[D0114]: no value for y : bool[N]\n" +
			"  declared at m.sg:3\n" +
			"  note: give it with --data y=FILE[:FIELD], or as a key of --data FILE.json",
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
		want:  "d.json:1:10: error[D0108]: nothing more is expected after the end of the value, not \"2\"",
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
		want: "d.json:1:20: error[D0107]: $.x[1][1] is a list where a number is expected, as before it\n" +
			"  declared at m.sg:2",
	},
	{
		name:  "json shallower list",
		files: map[string]string{"d.json": "{\"x\": [[1, 2], 3], \"y\": [0, 1]}"},
		data:  []string{"d.json"},
		want: "d.json:1:16: error[D0107]: $.x[1] is a number where a list is expected, as in the lists before it\n" +
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
		name:  "null in a real",
		files: map[string]string{"d.json": "{\"x\": [[1, null]], \"y\": [0]}"},
		data:  []string{"d.json"},
		want: "d.json: error[D0131]: x[0,1] is missing (NaN), but real has no missing values\n" +
			"  declared at m.sg:2\n" +
			"  note: declare it real? to model missing entries",
	},
	{
		name:  "NaN in a real",
		files: map[string]string{"d.json": "{\"x\": [[1, \"NaN\"]], \"y\": [0]}"},
		data:  []string{"d.json"},
		want: "d.json: error[D0131]: x[0,1] is missing (NaN), but real has no missing values\n" +
			"  declared at m.sg:2\n" +
			"  note: declare it real? to model missing entries",
	},
	{
		name:  "infinity in a real",
		files: map[string]string{"d.json": "{\"x\": [[1, -Infinity]], \"y\": [0]}"},
		data:  []string{"d.json"},
		want: "d.json: error[D0135]: x[0,1] is -Inf, and real holds finite numbers\n" +
			"  declared at m.sg:2\n" + infiniteNote,
	},
	{
		name:  "columns with a gap, and others that no comma parts",
		files: map[string]string{"d.csv": "x.0,x.2,t;y\n1,2,3\n"},
		data:  []string{"d.csv"},
		want: "error[D0114]: no value for x : real[N, P]\n" +
			"  declared at m.sg:2\n" +
			"  note: d.csv has x.0 and x.2, which are not all of an array: its indices have no gap, and begin at 0 or 1\n" +
			"  note: give it with --data x=FILE[:FIELD], or as a key of --data FILE.json\n" +
			"error[D0114]: no value for y : bool[N]\n" +
			"  declared at m.sg:3\n" +
			"  note: d.csv has a column \"t;y\": its cells are separated by \";\", and those of csv are by commas, of tsv by tabs\n" +
			"  note: give it with --data y=FILE[:FIELD], or as a key of --data FILE.json",
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
		name:  "many errors in one input",
		files: map[string]string{"d.json": `{"x": [` + strings.Repeat("[1],", 19) + `[1]], "y": [` + strings.Repeat("7,", 19) + `7]}`},
		data:  []string{"d.json"},
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
			"d.json: error[D0131]: x[0,0] is missing (NaN), but real has no missing values\n" +
			"  declared at m.sg:2\n" +
			"  note: declare it real? to model missing entries\n" +
			"d.json: error[D0130]: y[1] is 3, but bool is 0 or 1, or -1 and +1 throughout\n" +
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
		want: "d.json: error[D0120]: sizes disagree on N: 3 by key N of d.json, 2 by x (d.json:x, axis 0)\n" +
			"  declared at m.sg:2\n" +
			"d.json: error[D0120]: sizes disagree on N: 3 by key N of d.json, 2 by y (d.json:y, axis 0)\n" +
			"  declared at m.sg:3",
	},
	{
		name:  "dim that is no size",
		files: map[string]string{"d.json": "{\"x\": [[1], [2]], \"y\": [0, 1], \"N\": 1.5, \"P\": [1, 2]}"},
		data:  []string{"d.json"},
		want: "d.json: error[D0124]: N is a dim, but its key is 1.5; a size is a whole number of at least 0\n" +
			"  declared at m.sg:1\n" +
			"d.json: error[D0124]: P is a dim, but its key has shape [2]; a size is one whole number\n" +
			"  declared at m.sg:1",
	},
	{
		name:  "dim clash of two files",
		files: map[string]string{"x.txt": "1 2\n3 4\n5 6\n7 8\n", "y.csv": goodY},
		data:  []string{"x=x.txt", "y=y.csv"},
		want: "y.csv: error[D0120]: sizes disagree on N: 4 by x (x.txt, axis 0), 3 by y (y.csv:y, axis 0)\n" +
			"  declared at m.sg:3",
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
		name:  "csv missing column",
		files: map[string]string{"d.csv": "age,y\n1,0\n"},
		data:  []string{"x=d.csv:agee", "y=d.csv"},
		want: "d.csv: error[D0111]: there is no field agee\n" +
			"  declared at m.sg:2\n" +
			"  note: did you mean age?\n" +
			"  note: its fields are age and y",
	},
	{
		name:  "csv which field",
		files: map[string]string{"d.csv": "a,b\n1,0\n"},
		data:  []string{"y=d.csv"},
		want: "d.csv: error[D0111]: which field is y? Write y=d.csv:FIELD\n" +
			"  declared at m.sg:3\n" +
			"  note: its fields are a and b\n" +
			"error[D0114]: no value for x : real[N, P]\n" +
			"  declared at m.sg:2\n" +
			"  note: give it with --data x=FILE[:FIELD], or as a key of --data FILE.json",
	},
	{
		name:  "csv ragged",
		files: map[string]string{"d.csv": "x.0,x.1,y\n1,2,0\n3,4\n5,6,1,9\n"},
		data:  []string{"d.csv"},
		want: "d.csv:3: error[D0107]: the row has 2 cells, but the header 3 columns\n" +
			"d.csv:4: error[D0107]: the row has 4 cells, but the header 3 columns",
	},
	{
		name:  "csv bad cell",
		files: map[string]string{"d.csv": "x.0,x.1,y\n1,2,0\n3,fôur ,1\n"},
		data:  []string{"d.csv"},
		want: "d.csv:3:3: error[D0106]: \"fôur\" is no number (column x.1)\n" +
			"  declared at m.sg:2",
	},
	{
		name:  "csv empty cell",
		files: map[string]string{"d.csv": "x.0,x.1,y\n1,2,0\n3,,1\n"},
		data:  []string{"d.csv"},
		want: "d.csv:3: error[D0131]: x[1,1] is missing (NaN), but real has no missing values\n" +
			"  declared at m.sg:2\n" +
			"  note: declare it real? to model missing entries",
	},
	{
		name:  "csv huge cell",
		files: map[string]string{"d.csv": "x.0,x.1,y\n1,2,0\n3,-1e400,1\n"},
		data:  []string{"d.csv"},
		want: "d.csv:3:3: error[D0106]: \"-1e400\" is beyond the range of float64\n" +
			"  declared at m.sg:2",
	},
	{
		name:  "csv without header",
		files: map[string]string{"d.csv": "1,2\n3,4\n"},
		data:  []string{"x=d.csv"},
		want: "d.csv:1:1: error[D0119]: the first line holds numbers where the header with the names of the columns should be\n" +
			"error[D0114]: no value for y : bool[N]\n" +
			"  declared at m.sg:3\n" +
			"  note: give it with --data y=FILE[:FIELD], or as a key of --data FILE.json",
	},
	{
		name:  "csv open quote",
		files: map[string]string{"d.csv": "x.0,y\n\"1,0\n2,1\n"},
		data:  []string{"d.csv"},
		want:  "d.csv:2:1: error[D0109]: a quote is not closed",
	},
	{
		name:  "csv quote inside",
		files: map[string]string{"d.csv": "x.0,y\n1,\"0\"a\n"},
		data:  []string{"d.csv"},
		want:  "d.csv:2:5: error[D0109]: a quoted field is malformed: extraneous or missing \" in quoted-field",
	},
	{
		name:  "csv column twice",
		files: map[string]string{"d.csv": "x.0,y,y\n1,0,1\n"},
		data:  []string{"d.csv"},
		want: "d.csv: error[D0118]: two fields are called y\n" +
			"  declared at m.sg:3",
	},
	{
		name:  "csv value with line after blank lines",
		files: map[string]string{"d.csv": "x.0,y\n1,0\n\n\n2,5\n"},
		data:  []string{"d.csv"},
		want: "d.csv:5: error[D0130]: y[1] is 5, but bool is 0 or 1, or -1 and +1 throughout\n" +
			"  declared at m.sg:3",
	},
	{
		name:   "libsvm falling ids",
		schema: one(Input{Kind: Real, Sparse: true, Shape: shape("N", 3)}),
		files:  map[string]string{"d.svm": "+1 2:1 1:1\n"},
		data:   []string{"v=d.svm"},
		want:   "d.svm:1:8: error[D0110]: \"1:1\" does not rise: the id before it is 2",
	},
	{
		name:   "libsvm id twice",
		schema: one(Input{Kind: Real, Sparse: true, Shape: shape("N", 3)}),
		files:  map[string]string{"d.svm": "+1 2:1 2:1\n"},
		data:   []string{"v=d.svm"},
		want:   "d.svm:1:8: error[D0110]: \"2:1\" does not rise: the id before it is 2",
	},
	{
		name:   "libsvm no colon",
		schema: one(Input{Kind: Real, Sparse: true, Shape: shape("N", 3)}),
		files:  map[string]string{"d.svm": "+1 1:1\n-1 2\n"},
		data:   []string{"v=d.svm"},
		want:   "d.svm:2:4: error[D0110]: \"2\" is no entry: id:value is expected",
	},
	{
		name:   "libsvm bad value",
		schema: one(Input{Kind: Real, Sparse: true, Shape: shape("N", 3)}),
		files:  map[string]string{"d.svm": "+1 1:1\n-1 2:x 3:1\n"},
		data:   []string{"v=d.svm"},
		want:   "d.svm:2:4: error[D0106]: \"2:x\" has no number after its colon",
	},
	{
		name:   "libsvm bad label",
		schema: one(Input{Kind: Real, Sparse: true, Shape: shape("N", 3)}),
		files:  map[string]string{"d.svm": "yes 1:1\n"},
		data:   []string{"v=d.svm"},
		want:   "d.svm:1:1: error[D0106]: \"yes\" is no label: a number is expected",
	},
	{
		name:   "libsvm too wide",
		schema: one(Input{Kind: Real, Sparse: true, Shape: shape("N", 3)}),
		files:  map[string]string{"d.svm": "+1 1:1\n-1 4:1\n+1 9:1\n"},
		data:   []string{"v=d.svm"},
		want: "d.svm:2: error[D0127]: v has an entry at feature 4 (counting from 1), but 3 columns is declared (field features)\n" +
			"  declared at m.sg:7\n" +
			"d.svm:3: error[D0127]: v has an entry at feature 9 (counting from 1), but 3 columns is declared (field features)\n" +
			"  declared at m.sg:7",
	},
	{
		name:   "libsvm huge id",
		schema: one(Input{Kind: Real, Sparse: true, Shape: shape("N", 3)}),
		files:  map[string]string{"d.svm": "+1 99999999999:1\n"},
		data:   []string{"v=d.svm"},
		want:   "d.svm:1:4: error[D0110]: \"99999999999:1\" has an id too large: ids are below 2147483647",
	},
	{
		name:   "libsvm blank",
		schema: one(Input{Kind: Real, Sparse: true, Shape: shape("N", 3)}),
		files:  map[string]string{"d.svm": "\n# nothing\n"},
		data:   []string{"v=d.svm"},
		want:   "d.svm: error[D0103]: holds no rows",
	},
	{
		name:   "libsvm NaN",
		schema: one(Input{Kind: Real, Sparse: true, Shape: shape("N", 3)}),
		files:  map[string]string{"d.svm": "+1 1:1\n+1 2:nan\n"},
		data:   []string{"v=d.svm"},
		want: "d.svm:2: error[D0131]: v[1,1] is missing (NaN), but real has no missing values (field features)\n" +
			"  declared at m.sg:7\n" +
			"  note: declare it real? to model missing entries",
	},
	{
		name:  "wider than the run",
		files: map[string]string{"d.svm": "1 1:1\n0 124:1\n"},
		data:  []string{"x=d.svm:features", "y=d.svm:label"},
		fixed: map[string]int{"P": 123},
		want: "d.svm:2: error[D0127]: x has an entry at feature 124 (counting from 1), but P is 123 (field features)\n" +
			"  declared at m.sg:2\n" +
			"  note: P is 123 by the run",
	},
	{
		name:  "sparse too large to spread",
		files: map[string]string{"d.svm": "1 2000000000:1\n1 1:1\n1 1:1\n"},
		data:  []string{"x=d.svm:features", "y=d.svm:label"},
		want: "d.svm: error[D0128]: x is sparse in the file, but declared dense: 3 × 2000000000 numbers are too many (field features)\n" +
			"  declared at m.sg:2\n" +
			"  note: declare it sparse real[N, P]",
	},
	{
		name:  "libsvm field",
		files: map[string]string{"d.svm": "1 1:1\n"},
		data:  []string{"x=d.svm:feature", "y=d.svm:label"},
		want: "d.svm: error[D0111]: there is no field feature\n" +
			"  declared at m.sg:2\n" +
			"  note: did you mean features?\n" +
			"  note: its fields are label, features and features0",
	},
	{
		name:   "npy no magic",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files:  map[string]string{"v.npy": "PK not"},
		data:   []string{"v=v.npy"},
		want:   "v.npy: error[D0116]: is no npy file: it does not begin with \\x93NUMPY",
	},
	{
		name:   "npy of strings",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files:  map[string]string{"v.npy": npy("{'descr': '<U3', 'fortran_order': False, 'shape': (2,), }", nil)},
		data:   []string{"v=v.npy"},
		want:   "v.npy: error[D0116]: the npy header states entries of type \"<U3\"; f4, f8, i1 to i8, u1 to u8 and b1 can be read",
	},
	{
		name:   "npy of records",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files:  map[string]string{"v.npy": npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2,), }", nil)},
		data:   []string{"v=v.npy"},
		want:   "v.npy: error[D0116]: the npy header describes records, and only arrays of numbers can be read",
	},
	{
		name:   "npy cut off",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files:  map[string]string{"v.npy": npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", make([]byte, 9))},
		data:   []string{"v=v.npy"},
		want:   "v.npy: error[D0104]: the file ends after 1 of the 2 entries that its header states: it is truncated",
	},
	{
		name:   "npy header cut off",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files:  map[string]string{"v.npy": npy("{'descr': '<f8', 'fortran_order'", nil)[:20]},
		data:   []string{"v=v.npy"},
		want:   "v.npy: error[D0104]: the file ends within its header: it is truncated",
	},
	{
		name:   "npy goes on",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files:  map[string]string{"v.npy": npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }", make([]byte, 9))},
		data:   []string{"v=v.npy"},
		want:   "v.npy: error[D0116]: the file goes on after the 2 entries that its header states",
	},
	{
		name:   "npy of a lying shape",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files:  map[string]string{"v.npy": npy("{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 4), }", nil)},
		data:   []string{"v=v.npy"},
		want:   "v.npy: error[D0116]: the shape [4611686018427387904 4] is impossible",
	},
	{
		name:   "npy long whole number",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files:  map[string]string{"v.npy": npy("{'descr': '<i8', 'fortran_order': False, 'shape': (1,), }", []byte{1, 0, 0, 0, 0, 0, 0, 64})},
		data:   []string{"v=v.npy"},
		want:   "v.npy: error[D0106]: entry [0] is 4611686018427388000, beyond ±2^53 where float64 holds every whole number",
	},
	{
		name:   "npy without a name",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files:  map[string]string{"v.npy": npy("{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }", []byte{1})},
		data:   []string{"v.npy"},
		want: "v.npy: error[D0112]: holds one array without a name\n" +
			"  note: write --data NAME=v.npy",
	},
	{
		name:   "npz that is no zip",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files:  map[string]string{"v.npz": "nothing"},
		data:   []string{"v=v.npz:a"},
		want:   "v.npz: error[D0104]: is no whole zip archive: zip: not a valid zip file",
	},
	{
		name:   "text ragged",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files:  map[string]string{"v.txt": "1 2\n3\n"},
		data:   []string{"v=v.txt"},
		want:   "v.txt:2: error[D0107]: the row has 1 number, but the rows before it have 2",
	},
	{
		name:   "text bad number",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files:  map[string]string{"v.txt": "1\n2x\n"},
		data:   []string{"v=v.txt"},
		want:   "v.txt:2:1: error[D0106]: \"2x\" is no number",
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
		name:  "set out of range",
		files: map[string]string{"d.json": goodX},
		data:  []string{"d.json"},
		set:   []string{"scale=-1"},
		want: "--set scale=-1: error[D0130]: scale is -1, but positive is a number above 0\n" +
			"  declared at m.sg:4",
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
		files:  map[string]string{"d.json": "{\"v\": [1, 9007199254740994]}"},
		data:   []string{"d.json"},
		want: "d.json: error[D0133]: v[1] is 9007199254740994, beyond ±2^53 where whole numbers are exact, but int is a whole number\n" +
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
		name:   "unit at its end",
		schema: one(Input{Kind: Unit, Shape: shape("N")}),
		files:  map[string]string{"d.json": "{\"v\": [0.5, 1]}"},
		data:   []string{"d.json"},
		want: "d.json: error[D0130]: v[1] is 1, but unit is a number strictly between 0 and 1\n" +
			"  declared at m.sg:7",
	},
	{
		name:   "interval",
		schema: one(Input{Kind: Interval, Lo: End{Value: -1}, Hi: End{Value: 2.5}, Shape: shape("N")}),
		files:  map[string]string{"d.json": "{\"v\": [0, 3]}"},
		data:   []string{"d.json"},
		want: "d.json: error[D0130]: v[1] is 3, but interval(-1, 2.5) is a number strictly between -1 and 2.5\n" +
			"  declared at m.sg:7",
	},
	{
		name:   "interval empty",
		schema: one(Input{Kind: Interval, Lo: End{Value: 3}, Hi: End{Value: 2}, Shape: shape("N")}),
		files:  map[string]string{"d.json": "{\"v\": [0, 3]}"},
		data:   []string{"d.json"},
		want: "d.json: error[D0134]: v : interval(3, 2) in shape [N] is empty, as its ends are 3 and 2\n" +
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
		want: "d.json: error[D0132]: v[2] is 3, which is not above the entry before it, 3 (ordered[N])\n" +
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
		name:   "lengths bound twice",
		schema: raggedSchema(),
		files:  map[string]string{"d.json": `{"T": [2, 1], "x": [[[1], [2]], [[3]]]}`},
		data:   []string{"d.json", "T=d.json:T"},
		want:   `error[D0115]: T is bound twice: by --data d.json and by --data T=d.json:T`,
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
		name:   "lists that differ along an axis that is not ragged",
		schema: raggedSchema(),
		files:  map[string]string{"d.json": `{"x": [[[1], [2]], [[3, 4]]]}`},
		data:   []string{"d.json"},
		want: `d.json: error[D0107]: x[1,0] has 2 entries, but the lists before it have 1, and the axis 1 is not ragged
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
		files:  map[string]string{"d.json": `{"x": [[[1], [2]], [[1], [null], [3]]], "z": [[1, -2], [3, 4, 0]]}`},
		data:   []string{"d.json"},
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
		files:  map[string]string{"d.json": `{"v": [[21, 22], [24, 20, 21.5, null], [], [22, 23, 22]]}`},
		data:   []string{"d.json"},
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
		name:   "no lengths",
		schema: &Schema{Dims: []Dim{{Name: "N"}, {Name: "T", Of: "N", Place: "m.sg:1"}}, Inputs: []Input{{Name: "z", Shape: shape("N")}}},
		files:  map[string]string{"d.json": `{"z": 1}`},
		data:   []string{"z=d.json"},
		set:    []string{"N=1"},
		want: `error[D0123]: the lengths T of the rows of N are unknown: no input that was given has them
  declared at m.sg:1
  note: give them with --data T=FILE, or as a key T of a JSON file, one for each of N`,
	},
	{
		name:   "zeros left out",
		schema: one(Input{Kind: Positive, Sparse: true, Shape: shape("N", 2)}),
		files:  map[string]string{"d.svm": "1 1:2 2:3\n1 2:1\n"},
		data:   []string{"v=d.svm"},
		want: "d.svm:2: error[D0130]: v[1,0] is not stored, and so 0, but positive is a number above 0 (field features)\n" +
			"  declared at m.sg:7",
	},
	{
		name:   "sparse signs",
		schema: one(Input{Kind: Bool, Sparse: true, Shape: shape("N", 2)}),
		files:  map[string]string{"d.svm": "1 1:-1 2:1\n1 2:1\n"},
		data:   []string{"v=d.svm"},
		want: "d.svm:1: error[D0130]: v[0,0] is -1, but bool is 0 or 1, or -1 and +1 throughout (field features)\n" +
			"  declared at m.sg:7",
	},
	{
		name:   "sparse ordered",
		schema: one(Input{Kind: Ordered, Own: 1, Sparse: true, Shape: shape("N", 2)}),
		files:  map[string]string{"d.svm": "1 1:1 2:3\n1 2:1\n"},
		data:   []string{"v=d.svm"},
		want: "d.svm: error[D0128]: v leaves out zeros, and ordered[2] cannot be checked so (field features)\n" +
			"  declared at m.sg:7",
	},
	{
		name:   "csv field without an input",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files:  map[string]string{"d.csv": "a,b\n1,2\n"},
		data:   []string{"d.csv:a"},
		want: "error[D0112]: --data d.csv:a picks a field, but no input for it; write NAME=d.csv:a\n" +
			"error[D0114]: no value for v : real[N]\n" +
			"  declared at m.sg:7\n" +
			"  note: give it with --data v=FILE[:FIELD], or as a key of --data FILE.json",
	},
	{
		name:   "idx cut off in its header",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files:  map[string]string{"v.idx": "\x00\x00\x08\x02\x00\x00"},
		data:   []string{"v=v.idx"},
		want:   "v.idx: error[D0104]: the file ends within its header: it is truncated",
	},
	{
		name:   "idx cut off in its entries",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files:  map[string]string{"v-idx1-ubyte": "\x00\x00\x08\x01\x00\x00\x00\x05abc"},
		data:   []string{"v=v-idx1-ubyte"},
		want:   "v-idx1-ubyte: error[D0104]: the file ends after 3 of the 5 unsigned bytes that its header states: it is truncated",
	},
	{
		name:   "idx of floats cut off",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files:  map[string]string{"v.idx": "\x00\x00\x0d\x01\x00\x00\x00\x02\x00\x00\x00\x00\x00"},
		data:   []string{"v=v.idx"},
		want:   "v.idx: error[D0104]: the file ends after 1 of the 2 float32 that its header states: it is truncated",
	},
	{
		name:   "idx that goes on",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files:  map[string]string{"v.idx": "\x00\x00\x08\x01\x00\x00\x00\x01ab"},
		data:   []string{"v=v.idx"},
		want:   "v.idx: error[D0150]: goes on after the 1 unsigned bytes that its header states",
	},
	{
		name:   "no idx",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files:  map[string]string{"v.idx": "GIF89a"},
		data:   []string{"v=v.idx"},
		want:   "v.idx: error[D0150]: is no IDX file: it begins with 47 49 46 38, not with 00 00, a type of entries and a number of axes",
	},
	{
		name:   "idx of an impossible size",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files:  map[string]string{"v.idx": "\x00\x00\x08\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"},
		data:   []string{"v=v.idx"},
		want:   "v.idx: error[D0150]: states the impossible shape [4294967295 4294967295 4294967295]",
	},
	{
		name:   "empty idx in gzip",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files:  map[string]string{"v.idx.gz": zipped("")},
		data:   []string{"v=v.idx.gz"},
		want:   "v.idx.gz: error[D0103]: is empty",
	},
	{
		name:   "label beyond the classes in idx",
		schema: one(Input{Kind: Index, Below: size.Const(10), Shape: shape("N")}),
		files:  map[string]string{"v.idx": "\x00\x00\x08\x01\x00\x00\x00\x03\x00\x0a\x09"},
		data:   []string{"v=v.idx"},
		want: "v.idx: error[D0130]: v[1] is 10, but index[10] is a whole number from 0 to 9\n" +
			"  declared at m.sg:7",
	},
	{
		name:   "pixels that are no whole number",
		schema: one(Input{Kind: Count, Shape: shape("N")}),
		files:  map[string]string{"v.idx": "\x00\x00\x08\x01\x00\x00\x00\x02\x00\x33"},
		data:   []string{"v=v.idx:unit"},
		want: "v.idx: error[D0133]: v[1] is 0.2, but count is a whole number of at least 0 (field unit)\n" +
			"  declared at m.sg:7",
	},
	{
		name:   "idx field",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files:  map[string]string{"v.idx": "\x00\x00\x08\x01\x00\x00\x00\x01a"},
		data:   []string{"v=v.idx:unti"},
		want: "v.idx: error[D0111]: there is no field unti\n" +
			"  declared at m.sg:7\n" +
			"  note: did you mean unit?\n" +
			"  note: without a field it is the array as the file has it; there is unit besides",
	},
	{
		name:   "images of another size",
		schema: one(Input{Kind: Real, Shape: shape("N", 5)}),
		files:  map[string]string{"v.idx": "\x00\x00\x08\x03\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00\x02abcd"},
		data:   []string{"v=v.idx"},
		want: "v.idx: error[D0121]: v has shape [1, 2, 2], but real[N, 5] is declared\n" +
			"  declared at m.sg:7",
	},
	{
		name:   "npy of bytes that goes on",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files:  map[string]string{"v.npy": npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }", []byte("abc"))},
		data:   []string{"v=v.npy"},
		want:   "v.npy: error[D0116]: the file goes on after the 2 entries that its header states",
	},
	{
		name:   "npy of bytes cut off",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files:  map[string]string{"v.npy": npy("{'descr': '|u1', 'fortran_order': False, 'shape': (4,), }", []byte("abc"))},
		data:   []string{"v=v.npy"},
		want:   "v.npy: error[D0104]: the file ends after 3 of the 4 entries that its header states: it is truncated",
	},
}
