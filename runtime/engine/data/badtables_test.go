package data

// badTables are tables that are refused, csv and tsv.
var badTables = []badInput{
	{name: "a source that fails", data: []string{"x=x.json:x", "y=t.sgtable"},
		files: map[string]string{"x.json": goodX,
			"t.sgtable": "SGTABLE1X\x50" +
				`{"message":"there is no table polices","unknown":"polices",` +
				`"known":["policies"]}`},
		want: "t.sgtable: error[D0169]: there is no table polices\n" +
			"  note: did you mean policies?"},
	{
		name: "missing file",
		data: []string{"x=none.csv:a", "y=none.csv:b"},
		want: "none.csv: error[D0101]: there is no such file",
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
		name:  "columns with a gap, and others that no comma parts",
		files: map[string]string{"d.csv": "x.0,x.2,t;y\n1,2,3\n"},
		data:  []string{"d.csv"},
		want: "error[D0114]: no value for x : real[N, P]\n" +
			"  declared at m.sg:2\n" +
			"  note: d.csv has x.0 and x.2, which are not all of an array: its indices have no " +
			"gap, and begin at 0 or 1\n" +
			"  note: give it with --data x=FILE[:FIELD], or as a key of --data FILE.json\n" +
			"error[D0114]: no value for y : bool[N]\n" +
			"  declared at m.sg:3\n" +
			"  note: d.csv has a column \"t;y\": its cells are separated by \";\", and those of " +
			"csv are by commas, of tsv by tabs\n" +
			"  note: give it with --data y=FILE[:FIELD], or as a key of --data FILE.json",
	},
	{
		name:  "dim clash of two files",
		files: map[string]string{"x.txt": "1 2\n3 4\n5 6\n7 8\n", "y.csv": goodY},
		data:  []string{"x=x.txt", "y=y.csv"},
		want: "y.csv: error[D0120]: sizes disagree on N: 4 by x (x.txt, axis 0), 3 by y " +
			"(y.csv:y, axis 0)\n" +
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
			"  note: declare it real? to model missing entries\n" +
			"  note: --na drop leaves out the rows that have some",
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
		want: "d.csv:1:1: error[D0119]: the first line holds numbers where the header with the " +
			"names of the columns should be\n" +
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
		want: "d.csv:2:5: error[D0109]: a quoted field is malformed: extraneous or missing \" " +
			"in quoted-field",
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
		name:   "csv field without an input",
		schema: one(Input{Kind: Real, Shape: shape("N")}),
		files:  map[string]string{"d.csv": "a,b\n1,2\n"},
		data:   []string{"d.csv:a"},
		want: "error[D0112]: --data d.csv:a picks a field, but no input for it; write " +
			"NAME=d.csv:a\n" +
			"error[D0114]: no value for v : real[N]\n" +
			"  declared at m.sg:7\n" +
			"  note: give it with --data v=FILE[:FIELD], or as a key of --data FILE.json",
	},
}
