package array

import "math"

// wordBits is the upper half of a float64 that represents a word: a NaN that arithmetic does not
// produce. The lower half is the index of the word.
const wordBits = 0x7ff8_5347

// Word returns the entry that represents word k of an array.
func Word(k int) float64 { return math.Float64frombits(wordBits<<32 | uint64(uint32(k))) }

// WordOf returns the index of the word that x represents, and false if x is a number or missing.
func WordOf(x float64) (k int, ok bool) {
	bits := math.Float64bits(x)
	return int(uint32(bits)), bits>>32 == wordBits
}

// UsedWords lists the words that entries of v represent, in the order in which they first occur,
// and reports whether other entries are numbers.
func (v *Value) UsedWords() (words []string, numbers bool) {
	seen := make([]bool, len(v.Words))
	for _, x := range v.F64 {
		if k, is := WordOf(x); !is {
			numbers = numbers || x == x
		} else if !seen[k] {
			seen[k] = true
			words = append(words, v.Words[k])
		}
	}
	return words, numbers
}

// ReadWords returns v with each word replaced by the number that read returns. Words that read
// does not know become missing entries (NaN).
func (v *Value) ReadWords(read func(word string) (x float64, ok bool)) *Value {
	numbers := make([]float64, len(v.Words))
	for k, word := range v.Words {
		x, ok := read(word)
		if !ok {
			x = math.NaN()
		}
		numbers[k] = x
	}
	out := *v
	out.Words, out.F64 = nil, make([]float64, len(v.F64))
	for i, x := range v.F64 {
		if k, is := WordOf(x); is {
			x = numbers[k]
		}
		out.F64[i] = x
	}
	return &out
}
