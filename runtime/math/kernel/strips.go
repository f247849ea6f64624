package kernel

// Strip is how many entries an instruction of a Loop takes at a time: enough to hide the cost of a
// call, few enough that the numbers of a loop's body stay in the nearest cache.
const Strip = 128

// LeastEntries is how many entries a loop has at least for Loop to pay.
const LeastEntries = 96

// An Instruction of a loop is an op, the register that it writes and those that it reads: three,
// of which an op of fewer operands does not read the last. Registers are the loop's arrays, then
// its numbers, then strips of scratch.
type Instruction [5]uint8

// Loop runs the body of a loop over n entries: all instructions on a strip of entries, then on the
// next. An array has n entries; a number stands for an array that is full of it. scratch has Strip
// numbers for each register that is no array. Two arrays are the same or do not overlap.
func Loop(body []Instruction, n int, scratch, numbers []float64, arrays ...[]float64) {
	full := min(n, Strip)
	for k, v := range numbers {
		s := scratch[k*Strip:][:full]
		if full > 0 {
			s[0] = v
		}
		for done := 1; done < full; done *= 2 {
			copy(s[done:], s[:done])
		}
	}
	count := uint8(len(arrays))
	for start := 0; start < n; start += Strip {
		w := min(n-start, Strip)
		at := func(r uint8) []float64 {
			if r < count {
				return arrays[r][start:][:w]
			}
			return scratch[int(r-count)*Strip:][:w]
		}
		for i := range body {
			in := &body[i]
			var y, z []float64
			if op := in[0]; op < OpNeg && op != OpCopy {
				y = at(in[3])
			}
			if in[0] == OpSelect {
				z = at(in[4])
			}
			Entrywise(in[0], at(in[1]), at(in[2]), y, z)
		}
	}
}
