package pick

import "sort"

// LeanRows is the most rows for which rows are listed by class, with four bytes per row. With more,
// rows of a class are searched for. A test changes it.
var LeanRows = 1 << 22

// rankRows is the distance in rows between stored counts.
const rankRows = 1024

// ranks finds the rows of a class by their number in it: 0 is the first row of the class.
type ranks struct {
	class  []uint8 // class of every row; it must not change
	before [256][]uint32
}

// newRanks counts the rows of the classes.
func newRanks(class []uint8, count *[256]int) *ranks {
	r := &ranks{class: class}
	groups := (len(class) + rankRows - 1) / rankRows
	for c, n := range count {
		if n > 0 {
			r.before[c] = make([]uint32, groups)
		}
	}
	var sum [256]uint32
	for g := range groups {
		for c := range r.before {
			if r.before[c] != nil {
				r.before[c][g] = sum[c]
			}
		}
		for _, c := range class[g*rankRows : min((g+1)*rankRows, len(class))] {
			sum[c]++
		}
	}
	return r
}

// row returns the row that has a given number in its class.
func (r *ranks) row(class uint8, number int) int {
	before := r.before[class]
	g := sort.Search(len(before), func(g int) bool { return int(before[g]) > number }) - 1
	left := number - int(before[g])
	i := g * rankRows
	for ; ; i++ {
		if r.class[i] == class {
			if left == 0 {
				return i
			}
			left--
		}
	}
}
