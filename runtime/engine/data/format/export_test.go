package format

// What tests of readers look at from inside.
var (
	ReadAs        = readAs
	ReadCSV       = readCSV
	ReadJSON      = readJSON
	ReadJSONLines = readJSONLines
	ReadLibsvm    = readLibsvm
	ReadLDAC      = readLDAC
	ReadDocword   = readDocword
	ReadNpy       = readNpy
	ReadNpz       = readNpz
	ReadIDX       = readIDX
	NpyTypes      = npyTypes
	NewLineReader = newLineReader
	ReadTyped     = readColumns("sgtable")
)

// RowMajor is rowMajor of float64.
func RowMajor(v []float64, shape []int) []float64 { return rowMajor(v, shape) }

// Next is next.
func (l *lineReader) Next() ([]byte, error) { return l.next() }

// ReadNamesOf is readNames.
var ReadNamesOf = readNames
