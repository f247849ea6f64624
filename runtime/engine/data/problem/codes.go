package problem

import "github.com/sgppl/sgppl/runtime/base/setting"

// An Explanation is what `sgppl explain CODE` prints about a mistake in data,
// in the shape of the compiler's. Codes are never renumbered.
type Explanation struct {
	Code    string
	Title   string // what is wrong, in a few words
	Text    string // why it is an error and what to do
	Example string // how it comes about
	Exit    int    // the program's exit status: 2 command line, 3 data, 5 files
}

// Exit statuses of the command line's contract.
const (
	ExitUsage = 2
	ExitData  = 3
	ExitFiles = 5
)

// Explain finds the explanation of a code.
func Explain(code string) (Explanation, bool) {
	for _, e := range codes {
		if e.Code == code {
			return e.named(), true
		}
	}
	return Explanation{}, false
}

// Codes lists every explanation by code.
func Codes() []Explanation {
	out := make([]Explanation, len(codes))
	for i, e := range codes {
		out[i] = e.named()
	}
	return out
}

// named returns e with the settings in its texts as messages name them.
func (e Explanation) named() Explanation {
	e.Title, e.Text, e.Example = setting.Text(e.Title), setting.Text(e.Text),
		setting.Text(e.Example)
	return e
}

// Exit is the exit status of the error's kind.
func (e *Error) Exit() int {
	x, _ := Explain(e.Code)
	return x.Exit
}

// codes is append-only. D010x to D011x are of files and bindings, D012x of
// sizes, D013x of entries, D014x of what this program writes itself, D015x of
// files again.
var codes = []Explanation{
	{"D0101", "a file cannot be opened",
		"The path does not exist, or the system refuses to open it. Relative paths start at the " +
			"working directory.", "{data} x=no-such.csv", ExitFiles},
	{"D0102", "a directory where a file is expected",
		"Data are read from files; name one in the directory.", "{data} x=.", ExitFiles},
	{"D0103", "an empty file",
		"The file has no bytes, or no rows. Often an earlier program failed to write it.",
		"an x.csv of length 0", ExitData},
	{"D0104", "a file that is cut off or damaged",
		"Decompression or reading stopped before the end of the data, or a checksum does not " +
			"agree. Fetch or write the file again.", "half of an x.csv.gz", ExitData},
	{"D0105", "a format that cannot be read",
		"The format is found by the ending of the file's name, less .gz or .bz2, and else by its " +
			"first bytes. Convert the file to one of the formats of the note.", "{data} x=x.xlsx",
		ExitData},
	{"D0106", "not a number", "Every entry must be a number in the range of float64, true or " +
		"false, NaN, Inf or -Inf. NA, null and an empty cell are missing entries. Whole numbers " +
		"from 2^53 on are refused where they would be rounded.", "age\ntwelve", ExitData},
	{"D0107", "rows of different lengths",
		"Every row of a table, and every list of a level in JSON, must be as long as the others. " +
			"Only an axis of a ragged dim takes lists of different lengths, and they come from " +
			"JSON, not from tables.", "{\"x\": [[1, 2], [3]]}", ExitData},
	{"D0108", "malformed JSON",
		"The file is not JSON at this place. NaN, Infinity and -Infinity are taken beyond the " +
			"standard; comments and trailing commas are not.", "{\"x\": [1, 2,]}", ExitData},
	{"D0109", "malformed quotes in a table",
		"A field that begins with a quote must end with one; a quote inside is written twice.",
		"name\n\"unclosed", ExitData},
	{"D0110", "malformed libsvm entry",
		"A line is `label id:value id:value …` with ids that are whole and rise strictly.",
		"1 3:1 2:1", ExitData},
	{"D0111", "a field that the file does not have",
		"NAME=FILE:FIELD picks a column, key or array of the file. Without FIELD, the field of " +
			"the input's own name is taken, or the only one.", "{data} x=d.json:xx", ExitData},
	{"D0112", "a malformed {data}",
		"Write NAME=FILE, NAME=FILE:FIELD, or FILE for a file whose fields have names.",
		"{data} x=", ExitUsage},
	{"D0113", "a name that the model does not have",
		"{data} NAME=… binds an input of the model, {set} NAME=… a dim, a const or an input " +
			"without axes. Names are case-sensitive.", "{data} X=x.npy for a model with data x",
		ExitUsage},
	{"D0114", "an input without a value",
		"Every input without a default needs a value, from {data} or {set}.",
		"a model with data y and no {data} for it", ExitData},
	{"D0115", "an input bound twice",
		"Two {data} or {set} name the same input. Nothing overrides silently: drop one.",
		"{data} x=a.npy {data} x=b.npy", ExitUsage},
	{"D0116", "a malformed npy file",
		"The header of NumPy's format does not say what the file holds, or says what cannot be " +
			"read: real, whole and bool entries can be.", "an array of strings", ExitData},
	{"D0117", "a malformed {set}",
		"Write NAME=VALUE with one number, true or false. Inputs with axes come from {data}.",
		"{set} K=many", ExitUsage},
	{"D0118", "two fields of one name",
		"The file has two columns or keys of the same name, so a binding would be a guess. " +
			"Rename one.", "a,a\n1,2", ExitData},
	{"D0119", "a table without a header",
		"The first line of a csv or tsv file names its columns. A matrix without names can be " +
			"read from .txt or .npy.", "1,2\n3,4", ExitData},
	{"D0120", "sizes that disagree",
		"The sizes of the model's dims are inferred from the shapes of the data, and two of them " +
			"contradict one another. The message names both.", "x of 10 rows, y of 9, both in [N]",
		ExitData},
	{"D0121", "the wrong number of axes",
		"The array's shape cannot stand for the declared one. Trailing axes flatten or unfold " +
			"only where the sizes are known and agree.", "a vector for data x[N] : real[P]",
		ExitData},
	{"D0122", "a size other than declared", "The model fixes the size of this axis.",
		"30 columns for real[31]", ExitData},
	{"D0123", "a size that nothing settles",
		"No input that was given has this dim, and it has no default.", "dim K in no data",
		ExitData},
	{"D0124", "an impossible size", "A size is one whole number of at least 0.", "{set} N=2.5",
		ExitData},
	{"D0125", "an inconsistent array",
		"A program passed an array whose storage contradicts its shape.",
		"Dense(make([]float64, 3), 2, 2)", ExitData},
	{"D0126", "one size for a ragged dim",
		"A ragged dim T(S) has a length for every row of S. They come from the data: from lists " +
			"of different lengths, or as an array along S with {data} T=FILE or a key T of a " +
			"JSON file, beside which other arrays may be padded.", "{set} T=5 for dim T(S)",
		ExitData},
	{"D0127", "a column beyond the width",
		"A sparse row has an entry in a column that the dim does not have. When scoring, sizes " +
			"of the shared parameters are the fitted run's.", "feature 124 where P is 123",
		ExitData},
	{"D0128", "an array too large for its storage",
		"Spreading a sparse matrix out would take too much memory, or its columns are too many " +
			"to count. Declare the input sparse.", "data x[N] : real[P] with P in the millions",
		ExitData},
	{"D0129", "row lengths that disagree",
		"All inputs with a ragged axis T have rows of the same lengths. The message names the " +
			"row and who has which length.",
		"x = [[1, 2], [3]], z = [[1, 2], [3, 4]], both in [S, T]", ExitData},
	{"D0130", "a value outside its type",
		"Each type is a set of numbers; the declaration names it and the message says what " +
			"belongs there.", "2 in a bool", ExitData},
	{"D0131", "a missing value",
		"NaN, null, NA and empty cells are missing entries, and only types with ? have those.",
		"an empty cell in data x[N] : real", ExitData},
	{"D0132", "entries that do not belong together",
		"A simplex sums to 1, a sphere's point has length 1, ordered entries rise, each within 1e-6.",
		"[0.5, 0.6] for simplex[2]", ExitData},
	{"D0133", "a number that is not whole",
		"int, count and index hold whole numbers of magnitude below 2^53.", "1.5 in a count",
		ExitData},
	{"D0134", "an empty interval", "The lower end of an interval must lie below the upper one.",
		"interval(lo, hi) with lo = 2, hi = 1", ExitData},
	{"D0135", "an infinite number",
		"Densities of data that are infinite are 0 or no number, and so is all that is computed " +
			"from them, so a chain could not even start. Ends of intervals, bounds of truncated " +
			"and censored, and what a model compares with or takes min and max of may be " +
			"infinite. Elsewhere it is mostly a division by zero or a log of zero in what wrote " +
			"the file: leave the row out, write the largest number that can occur, or NA in data " +
			"with ? that are modelled.", "inf in data x[N] : real", ExitData},
	{"D0140", "a damaged spool",
		"Bound data that were passed between two programs of sgppl did not arrive whole, or come " +
			"from another version.", "a spool cut off", ExitFiles},
	{"D0150", "a malformed IDX file",
		"The format of the MNIST files begins with two zero bytes, the type of its entries, the " +
			"number of axes and the sizes; as many entries follow.",
		"an image where train-images-idx3-ubyte is expected", ExitData},
	{"D0151", "a malformed line of LDA-C",
		"A line is a document, `M term:count term:count …`, with the number of its different " +
			"terms first. Terms count from 0, come once, and in any order; counts are whole " +
			"numbers from 1. A document without words is the line 0.", "3 0:1 5:2", ExitData},
	{"D0152", "a malformed docword file",
		"The bags of words of the UCI repository begin with three lines, the number of " +
			"documents, the size of the vocabulary and the number of entries; each entry is a " +
			"line `document word count`, the first two counted from 1.",
		"word 6907 where the header says 6906", ExitData},
	{"D0153", "a malformed selector",
		"Behind FILE[:FIELD] may stand :rows=SELECTION, the rows to take, :skip=SELECTION, those " +
			"to leave out, for bags of words :words=SELECTION, and :format=NAME. A selection is " +
			"lo:hi, of which either may be left out, r%m, the rows whose number has the " +
			"remainder r, or one number, or several of them with commas; rows count from 0, and " +
			"hi is not in.", "{data} x=a.csv:rows=4%", ExitUsage},
	{"D0154", "rows that cannot be selected",
		"The array or file has no rows, or not as many as the selection names, or none of them " +
			"is selected.", "{data} x=a.csv:rows=90:100 where a.csv has 50 rows", ExitData},
	{"D0155", "a malformed file of names",
		"{names} DIM=FILE gives the entries of a dim their names: a text file with a name a " +
			"line, as many as the dim is large.",
		"{names} V=vocab.txt with a blank line in the middle", ExitData},
	{"D0156", "a malformed {names}",
		"Write DIM=FILE with a dim of the model and a text file that has a name a line.",
		"{names} vocab.txt", ExitUsage},
	{"D0157", "documents in no order",
		"By blocks, a docword file is read in the order of its documents: all entries of one " +
			"stand together, and numbers rise. Sort the file by its first column, or have it " +
			"read whole.", "entries of document 2 behind those of 3, and {stream}", ExitData},
	{"D0158", "a file that changed during a run",
		"Rows are read from the file as a run needs them, and these are not those that it began " +
			"with: the file was written to, cut off or replaced. Checkpoints and draws of the " +
			"run are whole; put the file back as it was, and {resume} goes on as if nothing had happened.",
		"x.csv rewritten while `sample {stream}` reads it", ExitData},
	{"D0159", "data that cannot be read by rows",
		"With {stream}, inputs along the axis of minibatches are read from tables of csv, tsv " +
			"and JSON lines, from columns of Parquet, Arrow and databases, " +
			"from libsvm and from bags of words. Inputs without that axis may come from any file.",
		"{stream} {data} x=x.npy", ExitData},
	{"D0160", "a damaged index of rows",
		"With {stream}, a run directory has an index that says where rows stand in their files, " +
			"and beside it may be texts of compressed files. It is not as it was written. Start a new run.",
		"rows.index cut off", ExitFiles},
	{"D0161", "a text that cannot be stored",
		"The text of a compressed file is stored once, so that its rows can be read in any " +
			"order. The disk is full, or the directory cannot be written to.",
		"{stream} {data} x=x.csv.gz and a full disk", ExitFiles},
	{"D0162", "a Parquet file that cannot be read",
		"Columns of one number a row are read: whole numbers, floats, bools and texts that are " +
			"numbers. The message says what the file has instead, or that it is damaged.",
		"a column of lists", ExitData},
	{"D0163", "a format that this program has no reader of",
		"Parquet is read by a library, which the command sgppl has. The runtime of generated " +
			"packages uses the standard library alone; a Go program of yours that is to read " +
			"Parquet imports github.com/sgppl/sgppl/parquet for its effect. Databases and Arrow " +
			"are read by the program sgppl-sources, beside sgppl or on the PATH.",
		"data.Bind of x.parquet in a program without that import", ExitData},
	{"D0164", "data that need more memory than there may be",
		"Numbers of a text take up to four times its length in memory, and arrays are held twice " +
			"while they grow. The limit is three quarters of the machine's memory, or of the " +
			"control group's, unless {max-memory} or GOMEMLIMIT says otherwise. Tables can be " +
			"read by rows, with {stream}.",
		"a compressed file that is a thousand times as large when it is read", ExitFiles},
	{"D0165", "a level that is not known",
		"Where a column of words is bound to an index, each word is a level of the index's dim. " +
			"When rows are scored or predicted, the levels are those that the model was fitted " +
			"with; with {levels} DIM=a,b,c they are those of the list. The message names the " +
			"first row with another word.", "a school that the fitted rows do not have", ExitData},
	{"D0166", "words and numbers as levels of one dim",
		"Levels are the words of a column. Where a column has numbers too, or another column " +
			"that is an index of the same dim, it is not clear whether a number is a level or " +
			"the place of one. {levels} DIM=appearance or DIM=sorted takes numbers as levels.",
		"home with names of teams, away with their numbers", ExitData},
	{"D0167", "a malformed {levels}",
		"Write DIM=appearance for the order in which the words first occur, DIM=sorted, or " +
			"DIM=LEVEL,LEVEL,… for an order of your own: the first is entry 0, the reference " +
			"where a model has one. A list that ends in ... lets the others follow.",
		"{levels} school", ExitUsage},
	{"D0168", "rows that cannot be left out",
		"{na} drop leaves out rows in which an entry is missing, {na} drop=x,y those where x or " +
			"y has none. Rows of a dim can be left out where all inputs have it as their first " +
			"axis, and none is an index of it. The message says what stands against it.",
		"{na} drop where every row has a gap", ExitData},
	{"D0169", "a source that gives no rows",
		"Tables and queries of databases and files of Arrow are read by the program " +
			"sgppl-sources. The message has the words of the database: it cannot be reached, " +
			"refuses the user, or does not understand the query.",
		"{data} sqlite:claims.db:polices, where the table is policies", ExitData},
	{"D0170", "other data than the model is for",
		"A line `require NAME == VALUES` of a model names the only values that data may have: its " +
			"statements hold for them and for no others. The import of a program of Stan writes such " +
			"lines where data decide the structure of the model. Import the program for the new data, " +
			"or give commands the program itself, which they translate for their data.",
		"K = 3, where the model has require K == 2", ExitData},
}
