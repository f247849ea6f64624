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
	total, at := 0.0, 0
	for ; at+4 <= len(w); at += 4 {
		b := w[at : at+4 : at+4]
		total += (b[0] + b[1]) + (b[2] + b[3])
	}
	for _, x := range w[at:] {
		total += x
	}
	bound, sum := float64(u*total), 0.0
	for at = 0; at+4 <= len(w); at += 4 {
		b := w[at : at+4 : at+4]
		next := sum + ((b[0] + b[1]) + (b[2] + b[3]))
		if next > bound {
			break
		}
		sum = next
	}
	for k, x := range w[at:] {
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
// where at is no place in the array. dst may be x, and then nothing is copied.
func AddAt(dst, x, at, c []float64, batch, n int) {
	if batch*n == 0 {
		return
	}
	if &dst[0] != &x[0] {
		copy(dst[:batch*n], x)
	}
	for b := range batch {
		if k := int(at[b]); uint(k) < uint(n) && float64(k) == at[b] {
			dst[b*n+k] += c[b]
		}
	}
}
