package model

import "github.com/sgppl/sgppl/runtime/math/kernel"

// A codedRoom holds the rows at hand of a sparse datum whose values are bytes:
// their entries one after the other, with the numbers that the bytes stand for.
type codedRoom struct {
	lo, hi  []int
	index   []int32
	value   []float64
	value32 []float32
}

// codedBlock points the frame at rows of a sparse datum whose values are bytes.
// The room grows to the most entries that so many rows have, so that it does so
// once.
func (e *Evaluator) codedBlock(i int, rows []int, start, count int) {
	all, code, room := &e.m.sparse[i], e.m.bytes[i], &e.coded[i]
	if cap(room.lo) < count {
		room.lo, room.hi = make([]int, count), make([]int, count)
	}
	lo, hi := room.lo[:count], room.hi[:count]
	var codes []uint8
	index := all.Index
	if rows == nil { // they lie so
		first, last := all.Lo[start], all.Hi[start+count-1]
		index, codes = all.Index[first:last], code.Code[first:last]
		for k := range lo {
			lo[k], hi[k] = all.Lo[start+k]-first, all.Hi[start+k]-first
		}
		e.widenCoded(i, len(codes), codes, 0)
	} else {
		n := 0
		for k, r := range rows[start : start+count] {
			lo[k] = n
			n += all.Hi[r] - all.Lo[r]
			hi[k] = n
		}
		if cap(room.index) < n {
			room.index = make([]int32, max(n, count*e.m.longest(i)))
		}
		index = room.index[:n]
		for k, r := range rows[start : start+count] {
			copy(index[lo[k]:hi[k]], all.Index[all.Lo[r]:all.Hi[r]])
			e.widenCoded(i, n, code.Code[all.Lo[r]:all.Hi[r]], lo[k])
		}
	}
	e.frame.Sparse[i] = kernel.Rows{Lo: lo, Hi: hi, Index: index, Value: room.value}
	if e.m.Spec.Single {
		e.frame.Sparse32[i] = kernel.Rows32{Lo: lo, Hi: hi, Index: index, Value: room.value32}
	}
}

// widenCoded writes the numbers of some entries behind the first at, of n in all.
func (e *Evaluator) widenCoded(i, n int, codes []uint8, at int) {
	room := &e.coded[i]
	if !e.m.Spec.Single || e.doubled() {
		if cap(room.value) < n {
			room.value = make([]float64, max(n, len(room.index)))
		}
		room.value = room.value[:n]
		e.m.bytes[i].Widen(room.value[at:at+len(codes)], codes)
		return
	}
	if cap(room.value32) < n {
		room.value32 = make([]float32, max(n, len(room.index)))
	}
	room.value32 = room.value32[:n]
	levels(room.value32[at:at+len(codes)], codes, e.m.single.level[i])
}

// longest is the most entries of a row of a sparse datum.
func (m *Model) longest(i int) int {
	r, most := &m.sparse[i], 0
	for k, lo := range r.Lo {
		most = max(most, r.Hi[k]-lo)
	}
	return most
}
