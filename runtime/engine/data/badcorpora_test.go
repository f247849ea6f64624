package data

import (
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/data/format"
)

const goodLDAC = "2 0:1 3:2\n0\n1 1:1\n"

// badCorpora are bags of words, selections of rows and names of dims that are
// wrong. TestBadInputs walks them.
var badCorpora = []badInput{
	{
		name:   "LDA-C that is not",
		schema: words(),
		files: map[string]string{"c.ldac": "x 0:1\n2 0:1\n1 1\n1 a:1\n1 2:0\n1 3:1.5\n" +
			"2 4:1 4:2\n1 99999999999:1\n"},
		data: []string{"w=c.ldac"},
		want: `c.ldac:1:1: error[D0151]: "x" is no number of terms: a document is written M term:count term:count …
c.ldac:2:1: error[D0151]: "2" is the number of terms of the line, but it has 1
  note: if the first number of a line is a label, the format is libsvm: FILE:format=libsvm
c.ldac:3:3: error[D0151]: "1" is no term:count
c.ldac:4:3: error[D0151]: "a:1" is no term:count
c.ldac:5:3: error[D0151]: "2:0" has no count, a whole number from 1, after its colon
  note: rows of other numbers, such as tf-idf weights, can be given as libsvm: a label, then id:value
  note: 3 more such mistakes`,
	},
	{
		name:   "a term twice and a blank line",
		schema: words("x"),
		files:  map[string]string{"c.ldac": "2 4:1 4:2\n\n0\n"},
		data:   []string{"x=c.ldac"},
		want: `c.ldac:1: error[D0151]: the term 4 comes twice in a document
c.ldac:2: error[D0151]: is blank, and documents follow
  note: a document without words is written 0`,
	},
	{
		name:   "LDA-C cut off",
		schema: words(),
		files:  map[string]string{"c.ldac.gz": zipped(goodLDAC)[:20], "e.ldac": "\n\n"},
		data:   []string{"w=c.ldac.gz", "x=e.ldac"},
		want: "c.ldac.gz: error[D0104]: the file ends before its data do: it is truncated\n" +
			"e.ldac: error[D0103]: holds no documents",
	},
	{
		name:   "words beyond the vocabulary",
		schema: words(),
		files:  map[string]string{"c.ldac": goodLDAC, "v.txt": "a\nb\nc\n"},
		data:   []string{"w=c.ldac"},
		names:  []string{"V=v.txt"},
		want: `c.ldac:1: error[D0130]: w[0,1] is 3, but index[V] is a whole number from 0 to 2 (field tokens)
  declared at m.sg:2
  note: it is 3 once more: w[0,2] (line 1)`,
	},
	{
		name:   "words beyond the vocabulary, again and again",
		schema: words("w"),
		files: map[string]string{"c.ldac": strings.Repeat("2 3:1 1:1\n", 9) +
			"3 7:2 8:1 9:1\n3 10:1 11:1 12:1\n", "v.txt": "a\nb\nc\n"},
		data:  []string{"w=c.ldac"},
		names: []string{"V=v.txt"},
		want: `c.ldac:1: error[D0130]: w[0,1] is 3, but index[V] is a whole number from 0 to 2 (field tokens)
  declared at m.sg:2
  note: it is 3 8 times more: w[1,1] (line 2), w[2,1] (line 3), w[3,1] (line 4), w[4,1] (line 5), …
c.ldac:10: error[D0130]: w[9,0] is 7, but index[V] is a whole number from 0 to 2 (field tokens)
  declared at m.sg:2
  note: it is 7 once more: w[9,1] (line 10)
c.ldac:10: error[D0130]: w[9,2] is 8, but index[V] is a whole number from 0 to 2 (field tokens)
  declared at m.sg:2
c.ldac:10: error[D0130]: w[9,3] is 9, but index[V] is a whole number from 0 to 2 (field tokens)
  declared at m.sg:2
c.ldac:11: error[D0130]: w[10,0] is 10, but index[V] is a whole number from 0 to 2 (field tokens)
  declared at m.sg:2
  note: 2 more entries of w are not in its type`,
	},
	{
		name:   "counts beyond the vocabulary, again and again",
		schema: words("x"),
		files: map[string]string{"c.ldac": strings.Repeat("2 3:1 1:1\n", 3) + "1 7:2\n",
			"v.txt": "a\nb\nc\n"},
		data:  []string{"x=c.ldac"},
		names: []string{"V=v.txt"},
		want: `c.ldac:1: error[D0127]: x has an entry at column 3 (counting from 0), but V is 3 (field counts)
  declared at m.sg:3
  note: it has one there 2 times more: row 1 (line 2), row 2 (line 3)
  note: V is 3 by --names V=v.txt
c.ldac:4: error[D0127]: x has an entry at column 7 (counting from 0), but V is 3 (field counts)
  declared at m.sg:3
  note: V is 3 by --names V=v.txt`,
	},
	{
		name:   "counts beyond the vocabulary",
		schema: words("x"),
		files:  map[string]string{"c.ldac": goodLDAC, "v.txt": "a\nb\nc\n"},
		data:   []string{"x=c.ldac"},
		names:  []string{"V=v.txt"},
		want: `c.ldac:1: error[D0127]: x has an entry at column 3 (counting from 0), but V is 3 (field counts)
  declared at m.sg:3
  note: V is 3 by --names V=v.txt`,
	},
	{
		name:   "docword that is not",
		schema: words(),
		files: map[string]string{
			"docword.x.txt": "2\n4\n6\n1 1 1\n1 5 1\n3 1 1\n1 2 0\n1 2\n1 2 3 4\n",
			"b.docword":     "2\nx\n1\n1 1 1\n", "c.docword": "3\n2 2\n"},
		data: []string{"w=docword.x.txt", "x=b.docword", "n=c.docword"},
		want: `docword.x.txt:5: error[D0152]: word 5 is not from 1 to 4, the number of words in the vocabulary in line 2
docword.x.txt:6: error[D0152]: document 3 is not from 1 to 2, the number of documents in line 1
docword.x.txt:7: error[D0152]: the count is 0, and not a whole number from 1
docword.x.txt:8: error[D0152]: has 2 numbers, but an entry is document word count
docword.x.txt:9:7: error[D0152]: "4" is one number too many: an entry is document word count
b.docword:2:1: error[D0152]: "x" is no whole number
c.docword:2: error[D0152]: is not the number of words in the vocabulary, which stands here alone
  note: the file begins with three lines of one number: documents, words in the vocabulary, entries`,
	},
	{
		name:   "docword cut off",
		schema: words(),
		files: map[string]string{"a.docword": "2\n4\n3\n1 1 1\n2 4 2\n",
			"b.docword": "2\n4\n1\n1 1 1\n1 1 2\n", "c.docword": "2\n"},
		data: []string{"w=a.docword", "x=b.docword", "n=c.docword"},
		want: `a.docword:3: error[D0104]: announces 3 entries, and the file has 2: it is cut off
b.docword:3: error[D0152]: announces 1 entries, and the file has 2: the header is not this file's
c.docword: error[D0104]: ends before the number of words in the vocabulary in line 2`,
	},
	{
		name:   "docword of no use",
		schema: words(),
		files: map[string]string{"a.docword": "2147483647\n4\n1\n1 1 1\n",
			"b.docword": "0\n4\n0\n", "c.docword": "1\n4\n2\n1 2 1\n1 2 1\n"},
		data: []string{"w=a.docword", "x=b.docword", "n=c.docword"},
		want: `a.docword:1: error[D0152]: announces 2147483647 documents, but the file has only 1 entries for them
b.docword:1: error[D0103]: holds no documents
c.docword: error[D0152]: word 2 comes twice in document 1`,
	},
	{
		name:   "a docword and a vocabulary of another size",
		schema: words(),
		files:  map[string]string{"docword.a.txt": "1\n4\n1\n1 1 1\n", "v.txt": "a\nb\nc\n"},
		data:   []string{"w=docword.a.txt", "x=docword.a.txt"},
		names:  []string{"V=v.txt"},
		want: `docword.a.txt: error[D0120]: sizes disagree on V: 3 by --names V=v.txt, 4 by the header of docword.a.txt
  declared at m.sg:2
docword.a.txt: error[D0120]: sizes disagree on V: 3 by --names V=v.txt, 4 by x (docword.a.txt:counts, axis 1)
  declared at m.sg:3`,
	},
	{
		name:   "documents for rows of one size",
		schema: one(Input{Kind: Index, Below: shape("N")[0], Shape: shape("N", 2)}),
		files:  map[string]string{"c.ldac": goodLDAC},
		data:   []string{"v=c.ldac"},
		want: "c.ldac: error[D0107]: the documents differ in length\n" +
			"  declared at m.sg:7\n" +
			"  note: their words can be bound to a ragged input, as in `dim D, W(D)` and `data " +
			"w[D, W] : index[V]`, their counts to a `bag[V]`",
	},
	{
		name:   "more words than can be listed",
		schema: words(),
		files:  map[string]string{"c.ldac": "1 0:5000000000\n"},
		data:   []string{"w=c.ldac"},
		want: "c.ldac:1: error[D0128]: the documents have more than 1073741824 words in all, too " +
			"many to list one by one\n" +
			"  declared at m.sg:2\n" +
			"  note: declare the input sparse count[V] or bag[V] to bind the counts",
	},
	{
		name:   "libsvm or LDA-C",
		schema: words(),
		files:  map[string]string{"c": goodLDAC},
		data:   []string{"w=c"},
		want: "c: error[D0105]: could be of several formats: ldac and libsvm\n" +
			"  note: say which: c:format=ldac",
	},
	{
		name:   "selectors that are none",
		schema: words(),
		files:  map[string]string{"c.ldac": goodLDAC, "y.csv": goodY},
		data: []string{"w=c.ldac:rows=4%", "x=c.ldac:rows=2:2", "x=c.ldac:rows=1,5%3",
			"n=y.csv:words=0%2"},
		want: `error[D0153]: --data w=c.ldac:rows=4%: rows=4%: lo:hi, r%m, a number, or several of them with commas are expected
error[D0153]: --data x=c.ldac:rows=2:2: rows=2:2: selects nothing, as the end is not in it and numbers count from 0: 0:10 are the first ten, 5:6 is the sixth
error[D0153]: --data x=c.ldac:rows=1,5%3: rows=1,5%3: 5%3 selects nothing, as remainders are below what is divided by: 1%4 are the numbers 1, 5, 9, …
y.csv: error[D0153]: words=0%2 is for bags of words, and this is a file of csv
  declared at m.sg:4`,
	},
	{
		name:   "selectors that are none either",
		schema: words(),
		files:  map[string]string{"c.ldac": goodLDAC, "d.json": `{"n": [1, 2]}`},
		data: []string{"w=c.ldac:rows=0:skip=1:rows=2", "x=c.ldac:format=lda", "n=c.ldac:row=1",
			"d.json:rows=0"},
		want: `error[D0153]: --data w=c.ldac:rows=0:skip=1:rows=2: rows= is given twice
error[D0153]: --data x=c.ldac:format=lda: there is no format "lda"; there are ` + format.Names() + `
c.ldac: error[D0111]: there is no field row=1
  declared at m.sg:4
  note: its fields are tokens, counts, terms, repeats and lengths
  note: what selects rows is one of rows, skip and words
  note: did you mean rows=?
d.json: error[D0153]: rows=0 is for one input: what else the file holds may have other rows
  note: write --data NAME=d.json:rows=0`,
	},
	{
		name:   "rows that are not there",
		schema: words(),
		files:  map[string]string{"c.ldac": goodLDAC, "s.json": `{"n": 1}`},
		data:   []string{"w=c.ldac:rows=1:4", "x=c.ldac:skip=:", "n=s.json:rows=0"},
		want: `c.ldac: error[D0154]: rows=1:4: there is no row 3, as there are 3, counted from 0
  declared at m.sg:2
c.ldac: error[D0154]: skip=:: none of the 3 rows is selected
  declared at m.sg:3
  note: they count from 0 to 2: rows=0:2 takes the first half, rows=0%2 every second one
s.json: error[D0154]: rows=0: it is one number, and has no rows
  declared at m.sg:4`,
	},
	{
		name:   "a wrong entry in selected rows",
		schema: words("n"),
		files:  map[string]string{"n.csv": "n\n1\n2\n-3\n4\n"},
		data:   []string{"n=n.csv:skip=0"},
		want: "n.csv:4: error[D0130]: n[1] is -3, but count is a whole number of at least 0 (of " +
			"skip=0)\n" +
			"  declared at m.sg:4",
	},
	{
		name:   "names that are none",
		schema: words(),
		files: map[string]string{"c.ldac": goodLDAC, "v.txt": "a\n\nb\tc\n\xff\n", "e.txt": "\n",
			"k.txt": "a\nb\n"},
		data: []string{"w=c.ldac"},
		names: []string{"V=v.txt", "D=e.txt", "vocab.txt", "U=k.txt", "W=k.txt", "n=k.txt",
			"V=none.txt", "V="},
		want: `v.txt:2: error[D0155]: is blank, and names follow: a name is missing
v.txt:3: error[D0155]: "b\tc" is no name: a line of text is expected, in UTF-8 and without tabs
v.txt:4: error[D0155]: "\xff" is no name: a line of text is expected, in UTF-8 and without tabs
e.txt: error[D0103]: holds no names
error[D0156]: --names vocab.txt: DIM=FILE is expected
error[D0113]: --names U=k.txt: U is no dim of the model
error[D0126]: --names W=k.txt: W is ragged and has a length for each row of D, so its entries have no names
error[D0113]: --names n=k.txt: n is no dim of the model
  note: n is an input; its dims have names
none.txt: error[D0101]: there is no such file
error[D0156]: --names V=: DIM=FILE is expected`,
	},
	{
		name:   "names twice, and too few for the rows",
		schema: words(),
		files:  map[string]string{"c.ldac": goodLDAC, "k.txt": "a\nb\n"},
		data:   []string{"w=c.ldac"},
		names:  []string{"D=k.txt", "D=k.txt"},
		want: `error[D0115]: D has names twice, the second time by --names D=k.txt
c.ldac: error[D0120]: sizes disagree on D: 2 by --names D=k.txt, 3 by w (c.ldac:tokens, axis 0)
  declared at m.sg:2`,
	},
}
