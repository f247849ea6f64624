package main

// A stiff is a posterior whose scales differ from place to place, with data that stand here.
type stiff struct{ name, model, data string }

var stiffs = []stiff{
	{"eight schools, centred", `dim J
data y[J] : real
data sigma[J] : positive
param mu : real ~ normal(0, 5)
param tau : positive ~ cauchy(0, 5)
param theta[J] : real ~ normal(mu, tau)
y ~ normal(theta, sigma)
`, `{"y": [28, 8, -3, 7, -1, 1, 18, 12], "sigma": [15, 10, 16, 11, 9, 11, 10, 18]}`},
	{"funnel of 10", `dim P = 9
param v : real ~ normal(0, 3)
param x[P] : real ~ normal(0, exp(v / 2))
`, ``},
	{"Poisson counts on a Gaussian process", `dim N
data x[N] : real
data k[N] : count
param rho : positive ~ gamma(25, 4)
param alpha : positive ~ normal(0, 2)
param z[N] : real ~ normal(0, 1)
let C = [alpha^2 * exp(-0.5 * ((x[i] - x[j]) / rho)^2) for i in N, j in N]
track f = cholesky(C + 1e-10 * identity(N)) @ z
k ~ poisson_log(f)
`, `{"x": [-10, -8, -6, -4, -2, 0, 2, 4, 6, 8, 10],
"k": [40, 37, 29, 12, 4, 3, 9, 19, 77, 82, 33]}`},
	{"one compartment, saturating elimination", `dim N
data t[N] : real
data y[N] : positive
param ka, vm, km, sigma : positive ~ cauchy(0, 1)
fn rate(t : real, c : real[1], ka : positive, vm : positive, km : positive) -> real[1] {
  [ka * exp(-ka * t) * 100 / 5 - vm / 5 * c[0] / (km + c[0])]
}
let c = ode(rate, [0], 0, t, ka, vm, km, rtol = 1e-6, atol = 1e-6)
y ~ lognormal(log([c[n, 0] for n in N]), sigma)
`, `{"t": [0.5, 1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9, 10],
"y": [7.2, 10.6, 13.5, 14.1, 14.0, 14.9, 12.2, 11.5, 11.1, 8.1, 7.9, 5.8]}`},
}
