package size

// Windows is how many windows of k entries, a stride apart, lie along n
// entries: (n − k)/stride + 1, rounded down. ok is false where that depends on
// how a dim divides.
func Windows(n, k Poly, stride int) (p Poly, ok bool) {
	room := n.Sub(k)
	if m, number := room.Number(); number {
		if m < 0 {
			return Poly{}, true
		}
		return Const(m/stride + 1), true
	}
	q := room.Div(stride)
	for _, t := range room.Terms {
		// Over a divisor of its own a size is whole as it stands, and no more.
		ok = stride == 1 || room.Over == 0 && t.Coef%stride == 0
		if !ok {
			break
		}
	}
	return q.Add(Const(1)), ok
}
