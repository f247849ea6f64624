package kernel

// Category draws by inversion from the weights of categories, which need not
// add up to 1, given a number u of [0, 1): the first k with
//
//	w_0 + … + w_k > u (w_0 + … + w_{n-1}).
//
// One whose weight is not positive is never drawn: where rounding leaves no
// such k, it is the last of positive weight, and 0 where none has any. The
// total is a running sum over fours, (a+b)+(c+d) of each, and then over the
// numbers left; the k is looked for with the same sums, number by number
// within its four.
func Category(w []float64, u float64) float64 {
	total, rest := 0.0, w
	for len(rest) >= 8 { // two fours, of which neither waits for the other
		first, second := (rest[0]+rest[1])+(rest[2]+rest[3]), (rest[4]+rest[5])+(rest[6]+rest[7])
		total = (total + first) + second
		rest = rest[8:]
	}
	if len(rest) >= 4 {
		total += (rest[0] + rest[1]) + (rest[2] + rest[3])
		rest = rest[4:]
	}
	for _, x := range rest {
		total += x
	}
	bound, sum := float64(u*total), 0.0
	for rest = w; len(rest) >= 4; rest = rest[4:] {
		next := sum + ((rest[0] + rest[1]) + (rest[2] + rest[3]))
		if next > bound {
			break
		}
		sum = next
	}
	at := len(w) - len(rest)
	if len(rest) >= 4 { // no branch: its place in the four is hard to predict
		s0 := sum + rest[0]
		s1 := s0 + rest[1]
		s2 := s1 + rest[2]
		k := at
		if s0 <= bound {
			k++
		}
		if s1 <= bound {
			k++
		}
		if s2 <= bound {
			k++
		}
		if s2+rest[3] > bound {
			return float64(k)
		}
	}
	for k, x := range rest {
		if sum += x; sum > bound {
			return float64(at + k)
		}
	}
	for k := len(w) - 1; k > 0; k-- {
		if w[k] > 0 {
			return float64(k)
		}
	}
	return 0
}

// Categories draws, for each of a batch of n weights, as many categories as
// there are numbers u [batch, times].
func Categories(dst, w, u []float64, batch, times, n int) {
	for i := range batch {
		own := w[i*n : (i+1)*n]
		for j, x := range u[i*times : (i+1)*times] {
			dst[i*times+j] = Category(own, x)
		}
	}
}

// AddAt adds one number to one entry of each of a batch of arrays of length n:
// dst[b, k] = x[b, k] + c[b] where k = at[b], else x[b, k]. No entry changes
// where at is outside the array. dst may be x, and then nothing is copied.
func AddAt(dst, x, at, c []float64, batch, n int) {
	if batch*n == 0 {
		return
	}
	if &dst[0] != &x[0] {
		copy(dst[:batch*n], x)
	}
	for b := range batch {
		addEntry(dst[b*n:][:n], at[b], c[b])
	}
}
