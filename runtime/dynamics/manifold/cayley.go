package manifold

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A Cayley is a chart of a sphere or of a Stiefel manifold about a point, its middle: it maps all
// of R^d one to one onto the space up to a null set. With the middle as the first k columns of an
// orthogonal matrix U, it is
//
//	x = U (1 + X)(1 − X)⁻¹ [1; 0],  X = [[B, −Aᵀ], [A, 0]],
//
// B skew, k × k, A any (d−k) × k matrix (Jauch, Hoff and Dunson 2020, section 3). On a
// sphere, which has k = 1, it is the stereographic projection from the point opposite to
// the middle: at coordinates a the angle from the middle is 2 atan ‖a‖, and what is left
// out is that point. Of as many columns as rows it has the component of the middle.
//
// With S = 1 − B + AᵀA the point is U [2 S⁻¹ − 1; 2 A S⁻¹], and the Hausdorff measure is
// det(S)^{1−d} dA dB up to a constant. For in the frame of (1 + X)(1 − X)⁻¹ a movement is 2 S⁻ᵀ (dB
// − dAᵀA + AᵀdA) S⁻¹ above and, up to a multiple of that, 2 dA S⁻¹ below.
//
// A Cayley has workspace: it is for one goroutine. No method allocates.
type Cayley struct {
	d, k     int
	mirrors  []float64 // k rows of d: U = H₁ … H_k diag(signs, 1), H = 1 − 2 w wᵀ
	signs    []float64
	a        []float64 // of the last point: (d−k) × k
	inv      []float64 // S⁻¹
	logDet   float64   // of S
	y        []float64 // d × k
	s, m, m2 []float64 // k × k
}

// NewCayley makes a chart of d × k matrices; of vectors of length d with k = 1.
func NewCayley(d, k int) *Cayley {
	c := &Cayley{d: d, k: k, mirrors: make([]float64, k*d), signs: make([]float64, k),
		a: make([]float64, (d-k)*k), y: make([]float64, d*k)}
	for _, m := range []*[]float64{&c.inv, &c.s, &c.m, &c.m2} {
		*m = make([]float64, k*k)
	}
	return c
}

// ChartOf is a chart of one point of a curved space; nil of a flat one.
func ChartOf(m Manifold) *Cayley {
	switch s := m.(type) {
	case Sphere:
		return NewCayley(s.n, 1)
	case *Stiefel:
		return NewCayley(s.d, s.k)
	}
	return nil
}

// Dim is the number of coordinates: those of B below its diagonal, by rows, and those of A.
func (c *Cayley) Dim() int { return c.k*(c.k-1)/2 + (c.d-c.k)*c.k }

// Center puts the middle at a point of the space.
func (c *Cayley) Center(x []float64) {
	copy(c.y, x)
	for j := range c.k {
		w := c.mirrors[j*c.d : (j+1)*c.d]
		clear(w[:j])
		square := 0.0
		for i := j; i < c.d; i++ {
			w[i] = c.y[i*c.k+j]
			square += float64(w[i] * w[i])
		}
		norm := math.Sqrt(square)
		c.signs[j] = -math.Copysign(1, w[j])
		w[j] += math.Copysign(norm, w[j])
		by := 1 / math.Sqrt(kernel.Dot(w, w))
		for i := range w {
			w[i] *= by
		}
		c.mirror(j)
	}
}

// mirror applies H_j to y.
func (c *Cayley) mirror(j int) {
	w := c.mirrors[j*c.d : (j+1)*c.d]
	for col := range c.k {
		sum := 0.0
		for i := j; i < c.d; i++ {
			sum += float64(w[i] * c.y[i*c.k+col])
		}
		sum *= 2
		for i := j; i < c.d; i++ {
			c.y[i*c.k+col] -= float64(sum * w[i])
		}
	}
}

// sign multiplies the first rows of y by the signs.
func (c *Cayley) sign() {
	for j, s := range c.signs {
		for col := range c.k {
			c.y[j*c.k+col] *= s
		}
	}
}

// Point writes the point at coordinates u.
func (c *Cayley) Point(u, x []float64) {
	k := c.k
	at := k * (k - 1) / 2
	copy(c.a, u[at:])
	c.gram(c.s, c.a)
	for i := range k {
		c.s[i*k+i]++
		for j := range i {
			b := u[i*(i-1)/2+j]
			c.s[i*k+j] -= b
			c.s[j*k+i] += b
		}
	}
	c.logDet, _ = c.invert(c.s, c.inv)
	for i := range k {
		for j := range k {
			c.y[i*k+j] = 2 * c.inv[i*k+j]
		}
		c.y[i*k+i]--
	}
	for i := range c.d - k {
		for j := range k {
			sum := 0.0
			for l := range k {
				sum += float64(c.a[i*k+l] * c.inv[l*k+j])
			}
			c.y[(k+i)*k+j] = 2 * sum
		}
	}
	c.sign()
	for j := k - 1; j >= 0; j-- {
		c.mirror(j)
	}
	copy(x, c.y)
}

// gram writes aᵀa.
func (c *Cayley) gram(out, a []float64) {
	k := c.k
	clear(out)
	for at := 0; at < len(a); at += k {
		for i, x := range a[at : at+k] {
			for j, y := range a[at : at+k] {
				out[i*k+j] += float64(x * y)
			}
		}
	}
}

// LogJacobian is the logarithm of the measure of the space by that of the coordinates, at
// the last point that Point wrote; 0 at the middle.
func (c *Cayley) LogJacobian() float64 { return float64(-float64(c.d-1) * c.logDet) }

// Pull writes the gradient by u of a function whose gradient by x is g, at the last point
// that Point wrote, and adds so many times that of LogJacobian.
func (c *Cayley) Pull(g []float64, jacobian float64, out []float64) {
	k := c.k
	copy(c.y, g)
	for j := range k {
		c.mirror(j)
	}
	c.sign()
	h := c.y[k*k:]
	// m = y₁ + Aᵀ y₂, then K = 2 S⁻ᵀ m S⁻ᵀ + jacobian (d−1) S⁻ᵀ: the function changes by
	// ⟨2 y₂ S⁻ᵀ, dA⟩ − ⟨K, dS⟩.
	copy(c.m, c.y)
	for at := 0; at < len(h); at += k {
		for i, a := range c.a[at : at+k] {
			for j, b := range h[at : at+k] {
				c.m[i*k+j] += float64(a * b)
			}
		}
	}
	for i := range k {
		for j := range k {
			sum := 0.0
			for l := range k {
				sum += float64(c.inv[l*k+i] * c.m[l*k+j])
			}
			c.m2[i*k+j] = sum
		}
	}
	by := jacobian * float64(c.d-1)
	for i := range k {
		for j := range k {
			sum := 0.0
			for l := range k {
				sum += float64(c.m2[i*k+l] * c.inv[j*k+l])
			}
			c.m[i*k+j] = 2*sum + float64(by*c.inv[j*k+i])
		}
	}
	for i := range k {
		for j := range i {
			out[i*(i-1)/2+j] = c.m[i*k+j] - c.m[j*k+i]
		}
	}
	out = out[k*(k-1)/2:]
	for at := 0; at < len(h); at += k {
		for j := range k {
			sum := 0.0
			for l := range k {
				sum += 2*float64(h[at+l]*c.inv[j*k+l]) - float64(c.a[at+l]*(c.m[l*k+j]+c.m[j*k+l]))
			}
			out[at+j] = sum
		}
	}
}

// Coordinates writes the coordinates of a point. They grow without bound towards the set that the
// chart does not cover; it returns false where the point is so near to it that rounding hides
// them.
func (c *Cayley) Coordinates(x, u []float64) bool {
	k := c.k
	copy(c.y, x)
	for j := range k {
		c.mirror(j)
	}
	c.sign()
	for i := range k {
		for j := range k {
			c.m[i*k+j] = c.y[i*k+j] / 2
		}
		c.m[i*k+i] += 0.5
	}
	_, ok := c.invert(c.m, c.s)
	at := k * (k - 1) / 2
	for i := range c.d - k {
		for j := range k {
			sum := 0.0
			for l := range k {
				sum += float64(c.y[(k+i)*k+l] * c.s[l*k+j])
			}
			u[at+i*k+j] = sum / 2
		}
	}
	c.gram(c.m, u[at:])
	for i := range k {
		for j := range i {
			u[i*(i-1)/2+j] = (c.m[i*k+j] - c.s[i*k+j] - (c.m[j*k+i] - c.s[j*k+i])) / 2
		}
	}
	return ok
}

// leastPivot is the pivot below which a matrix counts as singular. Such points are within about
// 0.002 of the set that a chart does not cover.
const leastPivot = 1e-6

// invert writes the inverse of a, which it destroys, by Gauss and Jordan with pivots of
// columns. It returns log |det a|; false where a is singular.
func (c *Cayley) invert(a, out []float64) (logDet float64, ok bool) {
	k := c.k
	if k == 1 {
		out[0] = 1 / a[0]
		return special.Log(math.Abs(a[0])), math.Abs(a[0]) > leastPivot
	}
	clear(out)
	for i := range k {
		out[i*k+i] = 1
	}
	ok = true
	for col := range k {
		p := col
		for i := col + 1; i < k; i++ {
			if math.Abs(a[i*k+col]) > math.Abs(a[p*k+col]) {
				p = i
			}
		}
		if p != col {
			for j := range k {
				a[col*k+j], a[p*k+j] = a[p*k+j], a[col*k+j]
				out[col*k+j], out[p*k+j] = out[p*k+j], out[col*k+j]
			}
		}
		pivot := a[col*k+col]
		ok = ok && math.Abs(pivot) > leastPivot
		logDet += special.Log(math.Abs(pivot))
		by := 1 / pivot
		for j := range k {
			a[col*k+j] *= by
			out[col*k+j] *= by
		}
		for i := range k {
			if i == col {
				continue
			}
			f := a[i*k+col]
			if f == 0 {
				continue
			}
			for j := range k {
				a[i*k+j] -= float64(f * a[col*k+j])
				out[i*k+j] -= float64(f * out[col*k+j])
			}
		}
	}
	return logDet, ok
}
