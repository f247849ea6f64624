// Package kmeans finds starting points for the centres of mixtures: a
// clustering of rows by k-means, seeded by k-means++.
package kmeans

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/rng"
)

// Options of a clustering.
type Options struct {
	K int
	// Unit keeps centres on the unit sphere: spherical k-means (Dhillon & Modha
	// 2001), for rows of length 1.
	Unit  bool
	Swaps int // how many rows are tried in place of a centre, before Lloyd's steps
	Lloyd int // at most so many steps
}

// Centres clusters rows of the given width, n of them one after another, and
// returns the K centres and the mean squared distance of a row to its own. Seeds
// are drawn by k-means++ (Arthur & Vassilvitskii 2007), each the best of
// 2 + log K candidates; the surroundings of rows drawn in the same way take the
// place of the centre that is missed least, where that is better (after Lattanzi
// & Sohler 2019: a cluster that two centres share while another has none is
// mended by this, and not by what follows); Lloyd's steps move them until no row changes its
// centre. A centre that lost its rows moves to the row farthest from its own. The same
// rows, options and source give the same centres.
func Centres(
	rows []float64, width int, o Options, src *rng.Source,
) (centres []float64, spread float64) {
	c := &clustering{Options: o, rows: rows, width: width, n: len(rows) / width, src: src}
	c.seed()
	c.assign()
	for range o.Swaps {
		c.swap()
	}
	for range o.Lloyd {
		c.move()
		if !c.assign() {
			break
		}
	}
	return c.centres, sum(c.near) / float64(c.n)
}

type clustering struct {
	Options
	rows    []float64
	width   int
	n       int
	src     *rng.Source
	centres []float64
	of      []int     // the centre of each row
	near    []float64 // its squared distance
	second  []float64 // and that to the next
	fresh   []float64 // a centre that is tried
}

func (c *clustering) row(i int) []float64    { return c.rows[i*c.width : (i+1)*c.width] }
func (c *clustering) centre(k int) []float64 { return c.centres[k*c.width : (k+1)*c.width] }

// seed draws the centres among the rows: the first uniformly, each next with
// probability proportional to the squared distance to the nearest before it.
func (c *clustering) seed() {
	c.centres = make([]float64, c.K*c.width)
	c.fresh = make([]float64, c.width)
	c.of, c.near, c.second = make([]int, c.n), make([]float64, c.n), make([]float64, c.n)
	copy(c.centre(0), c.row(c.src.IntN(c.n)))
	for i := range c.near {
		c.near[i], c.of[i] = distance(c.row(i), c.centre(0)), -1
	}
	candidates := 2 + int(math.Log(float64(c.K)))
	try, best := make([]float64, c.n), make([]float64, c.n)
	for k := 1; k < c.K; k++ {
		total, least := sum(c.near), math.Inf(1)
		for range candidates {
			j := c.pick(total)
			s := 0.0
			for i := range try {
				try[i] = min(c.near[i], distance(c.row(i), c.row(j)))
				s += try[i]
			}
			if s < least {
				least = s
				try, best = best, try
				copy(c.centre(k), c.row(j))
			}
		}
		c.near, best = best, c.near
	}
}

// pick draws a row with probability near / total; any where all are at a centre.
func (c *clustering) pick(total float64) int {
	if !(total > 0) {
		return c.src.IntN(c.n)
	}
	u := total * c.src.Float64()
	last := 0
	for i, d := range c.near {
		if d > 0 {
			if last = i; u < d {
				break
			}
			u -= d
		}
	}
	return last
}

// assign gives each row its nearest centre and reports whether one changed.
func (c *clustering) assign() bool {
	changed := false
	for i := range c.n {
		x, at, least, next := c.row(i), 0, math.Inf(1), math.Inf(1)
		for k := range c.K {
			switch d := distance(x, c.centre(k)); {
			case d < least:
				at, least, next = k, d, least
			case d < next:
				next = d
			}
		}
		changed = changed || c.of[i] != at
		c.of[i], c.near[i], c.second[i] = at, least, next
	}
	return changed
}

// swap draws a row, takes the mean of the rows that are nearer to it than to
// their centres, and tries that in place of each centre at once: without centre k
// its rows go to the new one or to their second.
func (c *clustering) swap() {
	total := sum(c.near)
	x := c.fresh
	copy(x, c.row(c.pick(total)))
	for range refine {
		c.gather(x)
	}
	without := make([]float64, c.K)
	with := 0.0
	for i, k := range c.of {
		d := distance(c.row(i), x)
		own := min(d, c.near[i])
		with += own
		without[k] += min(d, c.second[i]) - own
	}
	out := 0
	for k, w := range without {
		if w < without[out] {
			out = k
		}
	}
	if with+without[out] < total {
		copy(c.centre(out), x)
		c.assign()
	}
}

// refine is how often a row that may become a centre moves to the mean around it.
// In many dimensions a single row is far from the others of its cluster.
const refine = 2

// gather moves x to the mean of the rows that are nearer to it than to their centres.
func (c *clustering) gather(x []float64) {
	m, n := make([]float64, c.width), 0
	for i, near := range c.near {
		if near > 0 && distance(c.row(i), x) < near {
			n++
			for j, v := range c.row(i) {
				m[j] += v
			}
		}
	}
	if by := c.scale(m, n); by > 0 {
		for j, v := range m {
			x[j] = v * by
		}
	}
}

// scale is what makes a centre of the sum of n rows; 0 where they have none.
func (c *clustering) scale(sum []float64, n int) float64 {
	if n == 0 {
		return 0
	}
	if !c.Unit {
		return 1 / float64(n)
	}
	length := 0.0
	for _, x := range sum {
		length += float64(x * x)
	}
	if length == 0 {
		return 0 // rows that cancel have no direction
	}
	return 1 / math.Sqrt(length)
}

// move puts each centre at the mean of its rows, on the sphere at its direction.
func (c *clustering) move() {
	means, count := make([]float64, len(c.centres)), make([]int, c.K)
	for i, k := range c.of {
		count[k]++
		m := means[k*c.width : (k+1)*c.width]
		for j, x := range c.row(i) {
			m[j] += x
		}
	}
	for k, n := range count {
		m := means[k*c.width : (k+1)*c.width]
		if n == 0 {
			far := 0
			for i, d := range c.near {
				if d > c.near[far] {
					far = i
				}
			}
			copy(c.centre(k), c.row(far))
			c.near[far] = 0 // the next one without rows goes elsewhere
			continue
		}
		by := c.scale(m, n)
		if by == 0 {
			continue
		}
		for j, x := range m {
			c.centre(k)[j] = x * by
		}
	}
}

func distance(x, y []float64) float64 {
	s := 0.0
	y = y[:len(x)]
	for i, v := range x {
		d := v - y[i]
		s += float64(d * d)
	}
	return s
}

func sum(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}
