package hmc

// A node is a subtree, given by the momenta at its two ends and the sum of the momenta of its
// leaves.
type node struct{ first, last, rho []float64 }

func newNode(buffer *[]float64, n int) node {
	return node{take(buffer, n), take(buffer, n), take(buffer, n)}
}

func take(buffer *[]float64, n int) []float64 {
	out := (*buffer)[:n:n]
	*buffer = (*buffer)[n:]
	return out
}

// pair joins the pending leaf a with its neighbour b. For two leaves, all checks reduce to a·(a+b)
// > 0 and b·(a+b) > 0.
func (t *Tree) pair(b []float64, twice float64) bool {
	n := len(b)
	a, last, rho := t.leaf[:n], t.current.last[:n], t.current.rho[:n]
	dot := 0.0
	for i, y := range b {
		x := a[i]
		last[i] = y
		rho[i] = x + y
		dot += float64(x * y)
	}
	t.leaf, t.current.first = t.current.first, t.leaf
	return t.leafKinetic+dot > 0 && twice+dot > 0
}

// merge joins neighbouring subtrees, a before b; the sum of momenta goes to b.rho. It returns false
// if the whole, or a part that extends over their border, has made a U-turn (Betancourt 2017,
// appendix A.4.2; the checks over the border as in Stan since 2.21). In whitened coordinates p♯·ρ
// is r·ρ. Reversing time changes none of the checks.
func merge(a, b node) bool {
	n := len(b.rho)
	a0, a1, ra := a.first[:n], a.last[:n], a.rho[:n]
	b0, b1, rb := b.first[:n], b.last[:n], b.rho[:n]
	var whole0, whole1, left0, left1, right0, right1 float64
	for i, u := range ra {
		v := rb[i]
		x0, x1, y0, y1 := a0[i], a1[i], b0[i], b1[i]
		sum, left, right := u+v, u+y0, x1+v
		rb[i] = sum
		whole0 += float64(x0 * sum)
		whole1 += float64(y1 * sum)
		left0 += float64(x0 * left)
		left1 += float64(y0 * left)
		right0 += float64(x1 * right)
		right1 += float64(y1 * right)
	}
	return whole0 > 0 && whole1 > 0 && left0 > 0 && left1 > 0 && right0 > 0 && right1 > 0
}
