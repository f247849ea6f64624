package codegen

import (
	"strings"
	"testing"
)

// A product goes into the sum that reads it, unless something else reads it too, or what it is of
// is written in between, perhaps under another name.
func TestProductsInSums(t *testing.T) {
	a := func(i int) register { return register{anArray, i} }
	s := func(i int) register { return register{someScratch, i} }
	of := func(r ...register) (out [3]register) { copy(out[:], r); return out }
	mul := stripInstruction{"OpMul", s(0), of(a(0), a(1))}
	for _, c := range []struct {
		name string
		code []stripInstruction
		want string
	}{
		{"a sum", []stripInstruction{mul, {"OpSum", register{aSum, 0}, of(s(0))}}, "OpDot"},
		{"plus", []stripInstruction{mul, {"OpAdd", a(2), of(a(3), s(0))}}, "OpMulAdd"},
		{"minus", []stripInstruction{mul, {"OpSub", a(2), of(s(0), a(3))}}, "OpMulSub"},
		{"from", []stripInstruction{mul, {"OpSub", a(2), of(a(3), s(0))}}, "OpSubMul"},
		{"two readers", []stripInstruction{mul, {"OpAdd", a(2), of(a(3), s(0))},
			{"OpSum", register{aSum, 0}, of(s(0))}}, "OpMul OpAdd OpSum"},
		{"a factor may be written", []stripInstruction{mul, {"OpNeg", a(2), of(a(3))},
			{"OpSum", register{aSum, 0}, of(s(0))}}, "OpMul OpNeg OpSum"},
		{"one exponential", []stripInstruction{mul, {"OpSigmoid", a(2), of(s(0))},
			{"OpSoftplus", a(3), of(s(0))}}, "OpMul OpGap OpExp OpShare OpLarger OpLog1p OpAdd"},
		{"one function", []stripInstruction{mul, {"OpSigmoid", a(2), of(s(0))}}, "OpMul OpSigmoid"},
	} {
		p := &stripProgram{code: c.code, scratch: 1}
		p.compose()
		var got []string
		for _, in := range p.code {
			got = append(got, in.op)
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: %s, not %s", c.name, text, c.want)
		}
	}
}
