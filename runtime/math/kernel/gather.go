package kernel

// Gather writes row idx[i] of src [·, width] into row i of dst.
func Gather[T any](dst, src []T, idx []int32, width int) {
	if width == 1 {
		dst = dst[:len(idx)]
		for i, k := range idx {
			dst[i] = src[k]
		}
		return
	}
	for i, k := range idx {
		copy(dst[i*width:(i+1)*width], src[int(k)*width:(int(k)+1)*width])
	}
}

// within panics unless all indices are below n: assembly does not look.
func within(idx []int32, n int) {
	most := uint32(0)
	for _, c := range idx {
		most = max(most, uint32(c))
	}
	if len(idx) > 0 && uint64(most) >= uint64(n) {
		panic("kernel: a column index beyond the matrix")
	}
}

var noIndex int32 // of lists without entries
