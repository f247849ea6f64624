package data

import (
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// badArrays are files of the other formats that are refused.
var badArrays = []badInput{
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
		name:  "unsupported format",
		files: map[string]string{"x.xlsx": "PK\x03\x04"},
		data:  []string{"x=x.xlsx:a"},
		want: "x.xlsx: error[D0105]: files ending in .xlsx cannot be read\n" +
			"  note: what can be read: " + format.Supported() + "; .gz and .bz2 of any\n" +
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
			"  note: a Go program has one that imports _ \"github.com/sgppl/sgppl/parquet\"; the " +
			"command sgppl does\n" +
			"error[D0114]: no value for y : bool[N]\n" +
			"  declared at m.sg:3\n" +
			"  note: give it with --data y=FILE[:FIELD], or as a key of --data FILE.json",
	},
	{
		name:  "unknown content",
		files: map[string]string{"x": "hello"},
		data:  []string{"x=x"},
		want: "x: error[D0105]: its format is not known\n" +
			"  note: what can be read: " + format.Supported() + "; .gz and .bz2 of any\n" +
			"  note: or say what it is: x:format=NAME\n" +
			"error[D0114]: no value for y : bool[N]\n" +
			"  declared at m.sg:3\n" +
			"  note: give it with --data y=FILE[:FIELD], or as a key of --data FILE.json",
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
		want: "d.svm:2: error[D0127]: v has an entry at feature 4 (counting from 1), but 3 " +
			"columns is declared (field features)\n" +
			"  declared at m.sg:7\n" +
			"d.svm:3: error[D0127]: v has an entry at feature 9 (counting from 1), but 3 columns " +
			"is declared (field features)\n" +
			"  declared at m.sg:7",
	},
	{
		name:   "libsvm huge id",
		schema: one(Input{Kind: Real, Sparse: true, Shape: shape("N", 3)}),
		files:  map[string]string{"d.svm": "+1 99999999999:1\n"},
		data:   []string{"v=d.svm"},
		want: "d.svm:1:4: error[D0110]: \"99999999999:1\" has an id too large: ids are below " +
			"2147483647",
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
		want: "d.svm:2: error[D0131]: v[1,1] is missing (NaN), but real has no missing values " +
			"(field features)\n" +
			"  declared at m.sg:7\n" +
			"  note: declare it real? to model missing entries\n" +
			"  note: --na drop leaves out the rows that have some",
	},
	{
		name:  "wider than the run",
		files: map[string]string{"d.svm": "1 1:1\n0 124:1\n"},
		data:  []string{"x=d.svm:features", "y=d.svm:label"},
		fixed: map[string]int{"P": 123},
		want: "d.svm:2: error[D0127]: x has an entry at feature 124 (counting from 1), but P is " +
			"123 (field features)\n" +
			"  declared at m.sg:2\n" +
			"  note: P is 123 by the run",
	},
	{
		name:  "sparse too large to spread",
		files: map[string]string{"d.svm": "1 2000000000:1\n1 1:1\n1 1:1\n"},
		data:  []string{"x=d.svm:features", "y=d.svm:label"},
		want: "d.svm: error[D0128]: x is sparse in the file, but declared dense: 3 × 2000000000 " +
			"numbers are too many (field features)\n" +
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
		files: map[string]string{"v.npy": npy("{'descr': '<U3', 'fortran_order': False, "+
			"'shape': (2,), }", nil)},
		data: []string{"v=v.npy"},
		want: "v.npy: error[D0116]: the npy header states entries of type \"<U3\"; f4, f8, i1 to " +
			"i8, u1 to u8 and b1 can be read",
	},
	{
		name:   "npy of records",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files: map[string]string{"v.npy": npy("{'descr': [('a', '<f8')], 'fortran_order': "+
			"False, 'shape': (2,), }", nil)},
		data: []string{"v=v.npy"},
		want: "v.npy: error[D0116]: the npy header describes records, and only arrays of numbers " +
			"can be read",
	},
	{
		name:   "npy cut off",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files: map[string]string{"v.npy": npy("{'descr': '<f8', 'fortran_order': False, "+
			"'shape': (2,), }", make([]byte, 9))},
		data: []string{"v=v.npy"},
		want: "v.npy: error[D0104]: the file ends after 1 of the 2 entries that its header " +
			"states: it is truncated",
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
		files: map[string]string{"v.npy": npy("{'descr': '|u1', 'fortran_order': False, "+
			"'shape': (2,), }", make([]byte, 9))},
		data: []string{"v=v.npy"},
		want: "v.npy: error[D0116]: the file goes on after the 2 entries that its header states",
	},
	{
		name:   "npy of a lying shape",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files: map[string]string{"v.npy": npy("{'descr': '<f8', 'fortran_order': False, "+
			"'shape': (4611686018427387904, 4), }", nil)},
		data: []string{"v=v.npy"},
		want: "v.npy: error[D0116]: the shape [4611686018427387904 4] is impossible",
	},
	{
		name:   "npy long whole number",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files: map[string]string{"v.npy": npy("{'descr': '<i8', 'fortran_order': False, "+
			"'shape': (1,), }", []byte{1, 0, 0, 0, 0, 0, 0, 64})},
		data: []string{"v=v.npy"},
		want: "v.npy: error[D0106]: entry [0] is 4611686018427388000, from 2^53 on, where float64 " +
			"rounds whole numbers",
	},
	{
		name:   "npy without a name",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files: map[string]string{"v.npy": npy("{'descr': '|u1', 'fortran_order': False, "+
			"'shape': (1,), }", []byte{1})},
		data: []string{"v.npy"},
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
		name:   "zeros left out",
		schema: one(Input{Kind: Positive, Sparse: true, Shape: shape("N", 2)}),
		files:  map[string]string{"d.svm": "1 1:2 2:3\n1 2:1\n"},
		data:   []string{"v=d.svm"},
		want: "d.svm:2: error[D0130]: v[1,0] is not stored, and so 0, but positive is a number " +
			"above 0 (field features)\n" +
			"  declared at m.sg:7",
	},
	{
		name:   "sparse signs",
		schema: one(Input{Kind: Bool, Sparse: true, Shape: shape("N", 2)}),
		files:  map[string]string{"d.svm": "1 1:-1 2:1\n1 2:1\n"},
		data:   []string{"v=d.svm"},
		want: "d.svm:1: error[D0130]: v[0,0] is -1, but bool is 0 or 1, or -1 and +1 throughout " +
			"(field features)\n" +
			"  declared at m.sg:7",
	},
	{
		name:   "sparse ordered",
		schema: one(Input{Kind: Ordered, Own: 1, Sparse: true, Shape: shape("N", 2)}),
		files:  map[string]string{"d.svm": "1 1:1 2:3\n1 2:1\n"},
		data:   []string{"v=d.svm"},
		want: "d.svm: error[D0128]: v leaves out zeros, and ordered[2] cannot be checked so " +
			"(field features)\n" +
			"  declared at m.sg:7",
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
		want: "v-idx1-ubyte: error[D0104]: the file ends after 3 of the 5 unsigned bytes that " +
			"its header states: it is truncated",
	},
	{
		name:   "idx of floats cut off",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files:  map[string]string{"v.idx": "\x00\x00\x0d\x01\x00\x00\x00\x02\x00\x00\x00\x00\x00"},
		data:   []string{"v=v.idx"},
		want: "v.idx: error[D0104]: the file ends after 1 of the 2 float32 that its header " +
			"states: it is truncated",
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
		want: "v.idx: error[D0150]: is no IDX file: it begins with 47 49 46 38, not with 00 " +
			"00, a type of entries and a number of axes",
	},
	{
		name:   "idx of an impossible size",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files: map[string]string{
			"v.idx": "\x00\x00\x08\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"},
		data: []string{"v=v.idx"},
		want: "v.idx: error[D0150]: states the impossible shape [4294967295 4294967295 " +
			"4294967295]",
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
		want: "v.idx: error[D0133]: v[1] is 0.2, but count is a whole number of at least 0 " +
			"(field unit)\n" +
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
		files: map[string]string{
			"v.idx": "\x00\x00\x08\x03\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00\x02abcd"},
		data: []string{"v=v.idx"},
		want: "v.idx: error[D0121]: v has shape [1, 2, 2], but real[N, 5] is declared\n" +
			"  declared at m.sg:7",
	},
	{
		name:   "npy of bytes that goes on",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files: map[string]string{"v.npy": npy("{'descr': '|u1', 'fortran_order': False, "+
			"'shape': (2,), }", []byte("abc"))},
		data: []string{"v=v.npy"},
		want: "v.npy: error[D0116]: the file goes on after the 2 entries that its header states",
	},
	{
		name:   "npy of bytes cut off",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files: map[string]string{"v.npy": npy("{'descr': '|u1', 'fortran_order': False, "+
			"'shape': (4,), }", []byte("abc"))},
		data: []string{"v=v.npy"},
		want: "v.npy: error[D0104]: the file ends after 3 of the 4 entries that its header " +
			"states: it is truncated",
	},
}
