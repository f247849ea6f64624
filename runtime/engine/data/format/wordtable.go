package format

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/engine/array"
)

// mostWords is the largest number of different words of a column. A column with more, such as a
// column of comments, does not have levels: its words are dropped.
const mostWords = 1 << 20

// wordBytes is about how much memory a word takes in addition to its text.
const wordBytes = 80

// A wordTable numbers the different words of a column.
type wordTable struct {
	list  []string
	place map[string]int
	lost  bool // there were too many
	latin bool // one is not UTF-8
}

// entry returns the number that stands for a cell; NaN once the words are lost.
func (w *wordTable) entry(b []byte, meter *memory.Meter) float64 {
	if k, known := w.place[string(b)]; known {
		return array.Word(k)
	}
	if w.lost {
		return math.NaN()
	}
	if !utf8.Valid(b) {
		b, w.latin = fromLatin(b), true
		if k, known := w.place[string(b)]; known {
			return array.Word(k)
		}
	}
	if len(w.list) == mostWords || meter.Add(wordBytes+len(b)) != nil {
		w.lost = true
		return math.NaN()
	}
	return array.Word(w.add(string(b)))
}

// newWordTable returns the table of a list of words.
func newWordTable(list []string) wordTable {
	w := wordTable{list: slices.Clip(list), place: make(map[string]int, len(list))}
	for k, word := range list {
		w.place[word] = k
	}
	return w
}

// add numbers a word that is new.
func (w *wordTable) add(word string) int {
	if w.place == nil {
		w.place = map[string]int{}
	}
	k := len(w.list)
	w.list, w.place[word] = append(w.list, word), k
	return k
}

// numberOf returns the number of a word, which may be new.
func (w *wordTable) numberOf(word string) int {
	if k, known := w.place[word]; known {
		return k
	}
	return w.add(word)
}

// has reports whether an entry stands for a word of the table. A NaN of another program may
// have the bits of a word.
func (w *wordTable) has(x float64) bool {
	k, is := array.WordOf(x)
	return is && k < len(w.list)
}

// number is an entry as a number: true is 1, false 0, another word missing.
func (w *wordTable) number(x float64) float64 {
	if k, is := array.WordOf(x); is {
		if x, is = TrueOrFalse(w.list[k]); !is {
			return math.NaN()
		}
	}
	return x
}

// translation returns, for each word of another table, the entry that stands for it here;
// nil where entries of that table stand for the same words here.
func (w *wordTable) translation(of *wordTable) []float64 {
	w.lost = w.lost || of.lost
	if len(of.list) <= len(w.list) && slices.Equal(of.list, w.list[:len(of.list)]) {
		return nil
	}
	to := make([]float64, len(of.list))
	for k, word := range of.list {
		to[k] = array.Word(w.numberOf(word))
	}
	return to
}

// join appends entries of another table to data, with the numbers that words have here.
func (w *wordTable) join(data, more []float64, of *wordTable) []float64 {
	to := w.translation(of)
	from := len(data)
	data = append(data, more...)
	if to != nil {
		for i, x := range data[from:] {
			if k, is := array.WordOf(x); is {
				data[from+i] = to[k]
			}
		}
	}
	return data
}

// texts are the words of a column, nil where they do not tell what its cells hold.
func (f *csvField) texts() []string {
	if f.words.lost || f.far {
		return nil
	}
	return f.words.list
}

// TrueOrFalse reads true and false, in capitals or not.
func TrueOrFalse(word string) (x float64, ok bool) {
	switch {
	case strings.EqualFold(word, "true"):
		return 1, true
	case strings.EqualFold(word, "false"):
		return 0, true
	}
	return 0, false
}
