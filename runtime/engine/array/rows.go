package array

// Take is the value of some rows, those of the list in its order. part names
// them in messages.
func (v *Value) Take(keep []int, part string) *Value {
	out := &Value{Shape: append([]int{len(keep)}, v.Shape[1:]...), Range: v.Range,
		AtLeast: v.AtLeast, Words: v.Words, Canonical: v.Canonical,
		Origin: v.Origin.take(keep, part)}
	each, _ := Product(v.Shape[1:])
	switch {
	case v.Lists != nil:
		return out.lists(v, keep)
	case v.CSR != nil:
		per := each / max(1, v.CSR.Cols) // rows of the matrix in one of the value
		if v.CSR.Cols == 0 {
			per, _ = Product(v.Shape[1 : len(v.Shape)-1])
		}
		out.CSR = v.CSR.Take(keep, per)
	case v.Bytes != nil:
		out.Bytes = &Bytes{Code: make([]uint8, 0, len(keep)*each), Level: v.Bytes.Level}
		for _, i := range keep {
			out.Bytes.Code = append(out.Bytes.Code, v.Bytes.Code[i*each:(i+1)*each]...)
		}
	default:
		out.F64 = make([]float64, 0, len(keep)*each)
		all := v.Floats()
		for _, i := range keep {
			out.F64 = append(out.F64, all[i*each:(i+1)*each]...)
		}
	}
	return out
}

// lists takes rows of a ragged array: at every level those lists that lie in
// one of them.
func (out *Value) lists(v *Value, keep []int) *Value {
	sizes := make([][]int, len(v.Lists))
	sizes[0] = []int{len(keep)}
	spans := make([][2]int, len(keep)) // of the lists of a level that are in the rows
	for i, k := range keep {
		spans[i] = [2]int{k, k + 1}
	}
	for level := 1; level <= len(v.Lists); level++ {
		if level == len(v.Lists) {
			var f []float64
			for _, s := range spans {
				f = append(f, v.F64[s[0]:s[1]]...)
			}
			shared := Ragged(f, sizes)
			out.F64, out.Lists, out.Shape = shared.F64, shared.Lists, shared.Shape
			return out
		}
		all := v.Lists[level]
		ends := make([]int, len(all)+1)
		for i, n := range all {
			ends[i+1] = ends[i] + n
		}
		for i, s := range spans {
			sizes[level] = append(sizes[level], all[s[0]:s[1]]...)
			spans[i] = [2]int{ends[s[0]], ends[s[1]]}
		}
	}
	return out
}

// Joined returns the rows of v followed by the rows of the others. The values are parts of the rows
// of one array: their shapes agree except for the number of rows, and all or none are sparse. If
// all are bytes with the same levels, the result is bytes. Other values that are not sparse become
// float64, with the padding of packed rows.
func (v *Value) Joined(others ...*Value) *Value {
	all := append([]*Value{v}, others...)
	out := &Value{Shape: append([]int{0}, v.Shape[1:]...), Range: v.Range, AtLeast: v.AtLeast,
		Canonical: v.Canonical}
	bytes := true
	for _, p := range all {
		out.Shape[0] += p.Shape[0]
		bytes = bytes && p.Bytes != nil && (v.Bytes != nil && *p.Bytes.Level == *v.Bytes.Level)
	}
	switch {
	case v.CSR != nil:
		out.CSR = &CSR{Indptr: []int{0}, Cols: v.CSR.Cols, Open: v.CSR.Open}
		for _, p := range all {
			out.CSR.Join(p.CSR.Plain())
		}
	case bytes:
		out.Bytes = &Bytes{Level: v.Bytes.Level}
		for _, p := range all {
			out.Bytes.Code = append(out.Bytes.Code, p.Bytes.Code...)
		}
	default:
		for _, p := range all {
			out.F64 = append(out.F64, p.Floats()...)
		}
	}
	return out
}
