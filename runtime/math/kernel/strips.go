package kernel

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/cpu"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// Strip is how many entries an instruction of a Loop takes at a time: enough to hide the cost of a
// call, few enough that the numbers of a loop's body stay in the nearest cache.
const Strip = 128

// LeastEntries is how many entries a loop has at least for Loop to pay.
const LeastEntries = 96

// MostRegisters is how many registers a loop has at most.
const MostRegisters = 48

// An Instruction of a loop is an op, the register that it writes and those that it reads: three,
// of which an op of fewer operands does not read the last. Registers are the loop's arrays, then
// its numbers, its sums, and strips of scratch.
type Instruction [5]uint8

// Ops that add to the register of a sum, in the lanes of the kernel of that name.
const (
	OpSum  Op = opSums + iota // Σ x
	OpDot                     // Σ x y
	OpDot0                    // Σ x y, without the terms whose x is 0
	opComposed
)

// Ops that do several at once, with the bits of one after the other. A number z between 0 and 1
// stands for e^−|x−y|.
const (
	OpMulAdd Op = opComposed + iota // x y + z, rounded twice
	OpMulSub                        // x y - z
	OpSubMul                        // z - x y
	OpGap                           // -|x - y|
	OpShare                         // the sigmoid of x - y: (z where x < y, else 1) / (1 + z)
	OpWeight                        // the share, and 0 where x is -Inf
	opFunctions
)

// Ops that are functions of numbers, with the bits of the kernel of that name.
const (
	OpExp Op = opFunctions + iota
	OpExpm1
	OpLog
	OpLog1p
	OpTanh
	OpSigmoid
	OpLogSigmoid
	OpSoftplus
	OpLogNormalCDF
	opsEnd
)

// Loop runs the body of a loop over n entries: all instructions on a strip of entries, then on the
// next. An array has n entries; a number stands for an array that is full of it. scratch has Strip
// numbers for each register that is no array. Two arrays are the same or do not overlap.
func Loop(body []Instruction, n int, scratch, numbers []float64, arrays ...[]float64) {
	fillStrips(scratch, numbers, min(n, Strip))
	l := stripLoop{body: body, scratch: scratch, arrays: arrays}
	l.all(n)
}

// LoopSums is Loop with sums, which it writes.
func LoopSums(body []Instruction, n int, scratch, numbers, sums []float64, arrays ...[]float64) {
	fillStrips(scratch, numbers, min(n, Strip))
	first := scratch[len(numbers)*Strip:]
	for k := range sums {
		*(*sumLanes)(first[k*Strip:]) = sumLanes{}
	}
	l := stripLoop{body: body, scratch: scratch, arrays: arrays}
	l.all(n)
	for k := range sums {
		sums[k] = (*sumLanes)(first[k*Strip:]).sum()
	}
}

// A stripLoop is a call of Loop at the strip of w entries from start on.
type stripLoop struct {
	body     []Instruction
	scratch  []float64
	arrays   [][]float64
	start, w int
}

// all does the instructions on all strips of n entries.
func (l *stripLoop) all(n int) {
	if level == cpu.AVX512 {
		l.wide(n)
		return
	}
	for start := 0; start < n; start += Strip {
		l.start, l.w = start, min(n-start, Strip)
		for i := range l.body {
			l.instruction(&l.body[i])
		}
	}
}

// at is a register's strip.
func (l *stripLoop) at(r uint8) []float64 {
	if int(r) < len(l.arrays) {
		return l.arrays[r][l.start:][:l.w]
	}
	return l.scratch[(int(r)-len(l.arrays))*Strip:][:l.w]
}

// instruction does an instruction on the strip.
func (l *stripLoop) instruction(in *Instruction) {
	op := in[0]
	switch {
	case op >= opFunctions:
		stripFunction(op, l.at(in[1]), l.at(in[2]))
		return
	case op == OpSum:
		addLanes((*[8]float64)(l.scratch[(int(in[1])-len(l.arrays))*Strip:]), l.at(in[2]))
		return
	case op == OpDot:
		addProducts((*[8]float64)(l.scratch[(int(in[1])-len(l.arrays))*Strip:]), l.at(in[2]),
			l.at(in[3]))
		return
	case op == OpDot0:
		addProducts0((*[8]float64)(l.scratch[(int(in[1])-len(l.arrays))*Strip:]), l.at(in[2]),
			l.at(in[3]))
		return
	case op >= opComposed:
		l.composed(op, l.at(in[1]), l.at(in[2]), l.at(in[3]), in[4])
		return
	}
	var y, z []float64
	if op < OpNeg && op != OpCopy {
		y = l.at(in[3])
	}
	if op == OpSelect {
		z = l.at(in[4])
	}
	Entrywise(op, l.at(in[1]), l.at(in[2]), y, z)
}

// addProducts adds element j of x times that of y to lane j mod 8.
func addProducts(lane *[8]float64, x, y []float64) {
	for j, v := range x {
		lane[j%8] += float64(v * y[j])
	}
}

// addProducts0 is addProducts of products that are 0 where x is 0.
func addProducts0(lane *[8]float64, x, y []float64) {
	for j, v := range x {
		lane[j%8] += special.Mul0(v, y[j])
	}
}

// composed does an op of several on the strip, one after the other.
func (l *stripLoop) composed(op Op, dst, x, y []float64, third uint8) {
	var first, second strip
	a, b := first[:len(dst)], second[:len(dst)]
	if op == OpGap {
		Entrywise(OpSub, a, x, y, nil)
		Entrywise(OpAbs, a, a, nil, nil)
		Entrywise(OpNeg, dst, a, nil, nil)
		return
	}
	z := l.at(third)
	switch op {
	case OpMulAdd, OpMulSub, OpSubMul:
		Entrywise(OpMul, a, x, y, nil)
		switch op {
		case OpMulAdd:
			Entrywise(OpAdd, dst, a, z, nil)
		case OpMulSub:
			Entrywise(OpSub, dst, a, z, nil)
		default:
			Entrywise(OpSub, dst, z, a, nil)
		}
	case OpShare, OpWeight:
		for i := range b {
			b[i] = 1
		}
		Entrywise(OpLt, a, x, y, nil)
		Entrywise(OpSelect, a, a, z, b)
		Entrywise(OpAdd, b, b, z, nil)
		Entrywise(OpDiv, a, a, b, nil)
		if op == OpShare {
			copy(dst, a)
			return
		}
		for i, v := range x {
			b[i] = special.Bool(!math.IsInf(v, -1))
		}
		Entrywise(OpMul0, dst, b, a, nil)
	}
}

// stripFunction writes a function of the numbers of src. The calls have names, so that no array
// of a loop is moved to the heap.
func stripFunction(op Op, dst, src []float64) {
	switch op {
	case OpExp:
		Exp(dst, src)
	case OpExpm1:
		Expm1(dst, src)
	case OpLog:
		Log(dst, src)
	case OpLog1p:
		Log1p(dst, src)
	case OpTanh:
		Tanh(dst, src)
	case OpSigmoid:
		Sigmoid(dst, src)
	case OpLogSigmoid:
		LogSigmoid(dst, src)
	case OpSoftplus:
		Softplus(dst, src)
	case OpLogNormalCDF:
		LogNormalCDF(dst, src)
	}
}

// fillStrips fills a strip for each number with w entries of it.
func fillStrips(scratch, numbers []float64, w int) {
	if level == cpu.AVX512 && len(numbers) > 0 {
		vectorFillStrips(scratch[:len(numbers)*Strip], numbers, w)
		return
	}
	for k, v := range numbers {
		s := scratch[k*Strip:][:w]
		for i := range s {
			s[i] = v
		}
	}
}
