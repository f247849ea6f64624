package stdlib_test

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestDirichlet integrates the density over the triangle and holds the draws
// to its first two moments.
func TestDirichlet(t *testing.T) {
	lib := mustLoad(t)
	d, alpha := lib.dists["dirichlet"], vector(2, 1.5, 3)
	const m = 200
	total := 0.0
	for i := range m {
		for j := range m { // x = u, y = (1 - u) v by midpoints
			u, v := (float64(i)+0.5)/m, (float64(j)+0.5)/m
			x := vector(u, (1-u)*v, (1-u)*(1-v))
			total += (1 - u) / (m * m) * math.Exp(lib.call(d, "logpdf", []value{x, alpha}, nil,
				nil).num())
		}
	}
	if math.Abs(total-1) > 1e-3 {
		t.Errorf("the density integrates to %.6f", total)
	}
	const n = 20000
	rng := rand.New(rand.NewPCG(7, 7))
	var mean, square [3]float64
	for range n {
		x := lib.call(d, "sample", []value{alpha}, nil, rng)
		for k, v := range x.data {
			mean[k] += v / n
			square[k] += v * v / n
		}
	}
	for k, a := range alpha.data {
		const a0 = 6.5
		wantMean, wantSquare := a/a0, a*(a+1)/(a0*(a0+1))
		if math.Abs(mean[k]-wantMean) > 0.006 || math.Abs(square[k]-wantSquare) > 0.006 {
			// 4.5 standard errors and more
			t.Errorf("coordinate %d: moments %.4f %.4f, want %.4f %.4f", k, mean[k], square[k],
				wantMean, wantSquare)
		}
	}
	x := lib.call(d, "sample", []value{vector(1e-4, 1e-4, 1e-4)}, nil, rng)
	if s := x.data[0] + x.data[1] + x.data[2]; math.Abs(s-1) > 1e-12 {
		t.Errorf("a draw with tiny concentrations sums to %v", s)
	}
}

// TestVectorNormals holds draws to their mean and covariance.
func TestVectorNormals(t *testing.T) {
	lib := mustLoad(t)
	mu := vector(0.5, -1)
	for _, c := range []struct {
		name string
		arg  value
		cov  [3]float64 // xx, xy, yy
	}{
		{"multi_normal", value{[]int{2, 2}, []float64{2.25, -0.9, -0.9, 1}},
			[3]float64{2.25, -0.9, 1}},
		{"multi_normal_prec", value{[]int{2, 2},
			[]float64{1 / 1.44, 0.9 / 1.44, 0.9 / 1.44, 2.25 / 1.44}}, [3]float64{2.25, -0.9, 1}},
		{"multi_normal_cholesky", value{[]int{2, 2}, []float64{1.5, 7, -0.6, 0.8}},
			[3]float64{2.25, -0.9, 1}},
	} {
		const n = 20000
		rng := rand.New(rand.NewPCG(11, 3))
		var cov [3]float64
		var mean [2]float64
		for range n {
			x := lib.call(lib.dists[c.name], "sample", []value{mu, c.arg}, nil, rng).data
			u, v := x[0]-mu.data[0], x[1]-mu.data[1]
			mean[0], mean[1] = mean[0]+u/n, mean[1]+v/n
			cov[0], cov[1], cov[2] = cov[0]+u*u/n, cov[1]+u*v/n, cov[2]+v*v/n
		}
		for k := range cov {
			if math.Abs(cov[k]-c.cov[k]) > 0.11 { // 4.9 standard errors of the largest
				t.Errorf("%s: covariance %v, want %v", c.name, cov, c.cov)
			}
		}
		if math.Hypot(mean[0], mean[1]) > 0.055 {
			t.Errorf("%s: the mean is off by %v", c.name, mean)
		}
	}
}

// TestManifolds: draws lie on their manifold with the moments of the uniform
// distribution, E x xᵀ = I / D, and the von Mises–Fisher density integrates to one.
func TestManifolds(t *testing.T) {
	lib := mustLoad(t)
	const n, dim, cols = 20000, 3, 2
	rng := rand.New(rand.NewPCG(5, 1))
	sizes := map[string]float64{"D": dim, "K": cols}
	for _, name := range []string{"uniform_sphere", "uniform_stiefel"} {
		moments := make([]float64, dim*dim) // of the first column
		for range n {
			x := lib.call(lib.dists[name], "sample", nil, sizes, rng)
			k := len(x.data) / dim
			for a := range k {
				for b := range k {
					dot := 0.0
					for i := range dim {
						dot += x.data[i*k+a] * x.data[i*k+b]
					}
					if want := truth(a == b).num(); math.Abs(dot-want) > 1e-9 {
						t.Fatalf("%s: columns %d and %d of a draw have product %v", name, a, b, dot)
					}
				}
			}
			for i := range dim {
				for j := range dim {
					moments[i*dim+j] += x.data[i*k] * x.data[j*k] / n
				}
			}
		}
		for i := range dim {
			for j := range dim {
				if math.Abs(moments[i*dim+j]-truth(i == j).num()/dim) > 0.011 { // 5 standard errors
					t.Errorf("%s: second moments %.4f", name, moments)
				}
			}
		}
	}
	const m = 4000
	for _, kappa := range []float64{0.01, 3, 60} {
		circle, sphere := 0.0, 0.0
		for i := range m {
			angle, z := 2*math.Pi*(float64(i)+0.5)/m, -1+2*(float64(i)+0.5)/m
			plane := []value{vector(math.Cos(angle), math.Sin(angle)), vector(1, 0), scalar(kappa)}
			// a ring of area 2π dz
			space := []value{vector(math.Sqrt(1-z*z), 0, z), vector(0, 0, 1), scalar(kappa)}
			circle += 2 * math.Pi / m * math.Exp(lib.call(lib.dists["vmf"], "logpdf", plane, nil,
				nil).num())
			sphere += 4 * math.Pi / m * math.Exp(lib.call(lib.dists["vmf"], "logpdf", space, nil,
				nil).num())
		}
		if math.Abs(circle-1) > 1e-9 || math.Abs(sphere-1) > 1e-4 {
			t.Errorf("vmf with kappa %v integrates to %.12g on the circle, %.6g on the sphere",
				kappa, circle, sphere)
		}
	}
}

// TestDirections: a power spherical density integrates to one on the circle and
// the sphere; draws of both laws are unit vectors with the moments of their
// density: E t and E t² of the cosine t, E x = E t · mu, which `mean` says, and
// what is across mu has no direction.
func TestDirections(t *testing.T) {
	lib := mustLoad(t)
	for _, kappa := range []float64{0.3, 4, 70} {
		const m = 4000
		d := lib.dists["power_spherical"]
		circle, sphere := 0.0, 0.0
		for i := range m {
			angle, z := 2*math.Pi*(float64(i)+0.5)/m, -1+2*(float64(i)+0.5)/m
			plane := []value{vector(math.Cos(angle), math.Sin(angle)), vector(1, 0), scalar(kappa)}
			space := []value{vector(math.Sqrt(1-z*z), 0, z), vector(0, 0, 1), scalar(kappa)}
			circle += 2 * math.Pi / m * math.Exp(lib.call(d, "logpdf", plane, nil, nil).num())
			sphere += 4 * math.Pi / m * math.Exp(lib.call(d, "logpdf", space, nil, nil).num())
		}
		if math.Abs(circle-1) > 1e-4 || math.Abs(sphere-1) > 1e-4 {
			t.Errorf("power_spherical with kappa %v integrates to %.12g on the circle, %.6g on the sphere",
				kappa, circle, sphere)
		}
	}
	const n = 8000
	mu := vector(2./7, -3./7, 6./7, 0)
	for k, name := range []string{"vmf", "power_spherical"} {
		for _, kappa := range []float64{0.5, 6} {
			d, rng := lib.dists[name], rand.New(rand.NewPCG(17, uint64(k)))
			args := []value{mu, scalar(kappa)}
			// E t and E t² by the density: on the sphere in R⁴ a slice at t has the area 4π √(1 −
			// t²) dt.
			var want [3]float64
			const m = 1000
			for i := range m {
				z := -1 + 2*(float64(i)+0.5)/m
				at := append([]value{vector(0, 0, z, math.Sqrt(1-z*z)), vector(0, 0, 1, 0)}, args[1])
				mass := 8 * math.Pi / m * math.Sqrt(1-
					z*z) * math.Exp(lib.call(d, "logpdf", at, nil, nil).num())
				for j := range want {
					want[j] += mass * math.Pow(z, float64(j))
				}
			}
			var cosine, square float64
			mean := make([]float64, 4)
			for range n {
				x := lib.call(d, "sample", args, nil, rng)
				if length := matmul(x, x).num(); math.Abs(length-1) > 1e-12 {
					t.Fatalf("%s: a draw of squared length %v", name, length)
				}
				c := matmul(mu, x).num()
				cosine, square = cosine+c/n, square+c*c/n
				for j, v := range x.data {
					mean[j] += v / n
				}
			}
			// 5 standard errors at most, of numbers within [-1, 1] about their mean
			if math.Abs(want[0]-1) > 1e-3 || math.Abs(cosine-want[1]) > 0.03 ||
				math.Abs(square-want[2]) > 0.02 {
				t.Errorf("%s, kappa %v: E t, E t² of draws %.4f %.4f, of the density %.4f", name,
					kappa, cosine, square, want)
			}
			said := lib.call(d, "mean", args, nil, nil)
			for j, v := range said.data {
				if math.Abs(v-want[1]*mu.data[j]) > 1e-3 || math.Abs(mean[j]-v) > 0.028 {
					t.Errorf("%s, kappa %v: the mean is said to be %.4f, of draws %.4f", name,
						kappa, said.data, mean)
					break
				}
			}
		}
	}
}
