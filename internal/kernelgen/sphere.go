package main

import "fmt"

// spheres writes the passes of flows along great circles, four numbers at a time: sums are in four
// lanes, as in Go.
func spheres() *file {
	f := &file{}
	s := &sphereWriter{f}
	s.pass("squares64avx2", "adds the squares of x and of v to four lanes each", nil,
		[]string{"x", "v"}, 2, func() {
			s.square("Y0", "Y0", "Y8")
			s.square("Y1", "Y1", "Y9")
		})
	s.pass("sphereKick64avx2",
		"adds to·force + sd·noise to v, and the squares of x and x·v to four lanes each",
		[]string{"to", "sd"}, []string{"x", "v", "force", "noise"}, 2, func() {
			s.op("VMULPD", "Y2", "Y12", "Y2")
			s.op("VMULPD", "Y3", "Y13", "Y3")
			s.op("VADDPD", "Y3", "Y2", "Y2")
			s.op("VADDPD", "Y2", "Y1", "Y1")
			s.store("Y1", 1)
			s.square("Y0", "Y0", "Y8")
			s.square("Y0", "Y1", "Y9")
		})
	s.pass("sphereTangent64avx2", "writes (v + f·x)·e into v, and adds its squares to four lanes",
		[]string{"f", "e"}, []string{"x", "v"}, 1, func() {
			s.op("VMULPD", "Y0", "Y12", "Y0")
			s.op("VADDPD", "Y0", "Y1", "Y1")
			s.op("VMULPD", "Y13", "Y1", "Y1")
			s.store("Y1", 1)
			s.square("Y1", "Y1", "Y8")
		})
	s.pass("sphereTurn64avx2", "writes a·x + b·v into x and (c·x + d·v)·e into v",
		[]string{"a", "b", "c", "d", "e"}, []string{"x", "v"}, 0, func() {
			s.op("VMULPD", "Y0", "Y10", "Y2")
			s.op("VMULPD", "Y1", "Y11", "Y3")
			s.op("VADDPD", "Y3", "Y2", "Y2")
			s.op("VMULPD", "Y0", "Y12", "Y4")
			s.op("VMULPD", "Y1", "Y13", "Y5")
			s.op("VADDPD", "Y5", "Y4", "Y4")
			s.op("VMULPD", "Y14", "Y4", "Y4")
			s.store("Y2", 0)
			s.store("Y4", 1)
		})
	return f
}

type sphereWriter struct{ *file }

var sphereRegisters = []string{"SI", "DI", "R8", "R9"}

// pass writes a loop over arrays, of which register i has four numbers. Factors are in the
// registers up to Y13, or Y14 where there are five; sums are in those from Y8 on.
func (s *sphereWriter) pass(
	name, what string, factors, arrays []string, sums int, body func(),
) {
	var params []param
	for _, a := range arrays {
		params = append(params, param{a, "*float64"})
	}
	if len(factors) > 0 {
		params = append(params, param{"factors", fmt.Sprintf("*[%d]float64", len(factors))})
	}
	if sums > 0 {
		params = append(params, param{"lanes", "*[8]float64"})
	}
	params = append(params, param{"n", "int"})
	s.function(name, name+" "+what+". n is a multiple of\n// four, and positive.", params)
	for i, a := range arrays {
		s.load(params, a, sphereRegisters[i])
	}
	if len(factors) > 0 {
		s.load(params, "factors", "AX")
	}
	first := map[int]int{0: 0, 2: 12, 5: 10}[len(factors)]
	for i := range factors {
		s.op("VBROADCASTSD", fmt.Sprintf("%d(AX)", 8*i), fmt.Sprintf("Y%d", first+i))
	}
	for i := range sums {
		r := fmt.Sprintf("Y%d", 8+i)
		s.op("VXORPD", r, r, r)
	}
	s.load(params, "n", "CX")
	s.op("XORQ", "DX", "DX")
	s.label("loop")
	for i := range arrays {
		s.op("VMOVUPD", fmt.Sprintf("(%s)(DX*8)", sphereRegisters[i]), fmt.Sprintf("Y%d", i))
	}
	body()
	s.op("ADDQ", "$4", "DX")
	s.op("CMPQ", "DX", "CX")
	s.op("JLT", "loop")
	if sums > 0 {
		s.load(params, "lanes", "AX")
	}
	for i := range sums {
		s.op("VMOVUPD", fmt.Sprintf("Y%d", 8+i), fmt.Sprintf("%d(AX)", 32*i))
	}
	s.op("VZEROUPPER")
	s.op("RET")
}

// square adds a·b to a register of sums.
func (s *sphereWriter) square(a, b, sum string) {
	s.op("VMULPD", b, a, "Y15")
	s.op("VADDPD", "Y15", sum, sum)
}

func (s *sphereWriter) store(r string, array int) {
	s.op("VMOVUPD", r, fmt.Sprintf("(%s)(DX*8)", sphereRegisters[array]))
}
