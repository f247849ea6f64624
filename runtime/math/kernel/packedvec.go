package kernel

// A sparseTable has a number for every symbol of a Packed, through a pass.
type sparseTable struct {
	of     *float64 // the vector that it belongs to
	number [symbols]float64
}

// sparseTables are those of a pass.
type sparseTables struct {
	list []*sparseTable
	used int
}

// table is that of a vector, and whether it is new to the pass. It allocates in
// the first pass alone.
func (t *sparseTables) table(of *float64) (x *sparseTable, fresh bool) {
	for _, x := range t.list[:t.used] {
		if x.of == of {
			return x, false
		}
	}
	if t.used == len(t.list) {
		t.list = append(t.list, new(sparseTable))
	}
	x = t.list[t.used]
	t.used++
	x.of = of
	return x, true
}

// packedMulVec is SparseMulVec of packed rows: the numbers of pairs first, once
// a pass, then rows from left to right.
func packedMulVec(dst []float64, p *PackedPass, w []float64, acc bool) {
	columns := p.of.columns
	w = w[:columns]
	table, fresh := p.tables64.table(&w[0])
	t := &table.number
	if fresh {
		copy(t[:columns], w)
		made := t[columns:]
		for k, pair := range p.of.pairs {
			made[k] = t[pair[0]] + t[pair[1]]
		}
	}
	if !acc {
		clear(dst)
	}
	for i := range p.block.groups {
		g := &p.block.groups[i]
		sym := g.symbol
		switch g.length {
		case 0:
		case 1:
			for _, r := range g.row {
				dst[r] += t[sym[0]]
				sym = sym[1:]
			}
		case 2:
			for _, r := range g.row {
				s := sym[:2:2]
				sym = sym[2:]
				dst[r] += t[s[0]] + t[s[1]]
			}
		case 3:
			for _, r := range g.row {
				s := sym[:3:3]
				sym = sym[3:]
				dst[r] += t[s[0]] + t[s[1]] + t[s[2]]
			}
		case 4:
			for _, r := range g.row {
				s := sym[:4:4]
				sym = sym[4:]
				dst[r] += t[s[0]] + t[s[1]] + t[s[2]] + t[s[3]]
			}
		default:
			for _, r := range g.row {
				s := sym[:g.length]
				sym = sym[g.length:]
				sum := t[s[0]] + t[s[1]] + t[s[2]] + t[s[3]]
				for _, c := range s[4:] {
					sum += t[c]
				}
				dst[r] += sum
			}
		}
	}
}

// packedMulVecT is SparseMulVecT of packed rows, which adds: symbols first, rows
// from the shortest to the longest of every block, then, when the last block is
// done, pairs from the last.
func packedMulVecT(to []float64, p *PackedPass, d []float64) {
	columns := p.of.columns
	to = to[:columns]
	table, fresh := p.tables64.table(&to[0])
	t := &table.number
	all := t[:columns+len(p.of.pairs)]
	if fresh {
		clear(all)
	}
	for i := range p.block.groups {
		g := &p.block.groups[i]
		sym := g.symbol
		switch g.length {
		case 0:
		case 1:
			for _, r := range g.row {
				t[sym[0]] += d[r]
				sym = sym[1:]
			}
		case 2:
			for _, r := range g.row {
				s, a := sym[:2:2], d[r]
				sym = sym[2:]
				t[s[0]] += a
				t[s[1]] += a
			}
		case 3:
			for _, r := range g.row {
				s, a := sym[:3:3], d[r]
				sym = sym[3:]
				t[s[0]] += a
				t[s[1]] += a
				t[s[2]] += a
			}
		case 4:
			for _, r := range g.row {
				s, a := sym[:4:4], d[r]
				sym = sym[4:]
				t[s[0]] += a
				t[s[1]] += a
				t[s[2]] += a
				t[s[3]] += a
			}
		default:
			for _, r := range g.row {
				s, a := sym[:g.length], d[r]
				sym = sym[g.length:]
				for _, c := range s {
					t[c] += a
				}
			}
		}
	}
	if !p.last {
		return
	}
	made := all[columns:]
	for k := len(made) - 1; k >= 0; k-- {
		pair, a := p.of.pairs[k], made[k]
		t[pair[0]] += a
		t[pair[1]] += a
	}
	for c, a := range t[:columns] {
		to[c] += a
	}
	clear(all)
}
