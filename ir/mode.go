package ir

// A Mode is a variant of an op. An op has at most one variant other than Plain, which its row in
// the table names; the text form prints each as "reverse".
type Mode int

const (
	Plain      Mode = iota
	Reverse         // cumsum, scan: from the end
	Transposed      // triangular_solve: with the transpose of the triangle
	Stiff           // ode: by the method for stiff equations
	OfState         // carry: depends on the unknowns
	Logarithms      // local: logarithms of positive numbers
)

// If returns the mode where the condition holds, and Plain elsewhere.
func (m Mode) If(holds bool) Mode {
	if holds {
		return m
	}
	return Plain
}
