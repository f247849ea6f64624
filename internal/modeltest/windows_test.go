package modeltest

// Convolutions, pools and networks of layers.
func init() {
	for name, text := range map[string]string{
		"a convolution": `
dim N, A, B
data x[N] : real[2, A + 4, B + 3]
data y[N] : real
param W[3, 2, 3, 2] : real ~ normal(0, 1)
param v[3] : real ~ normal(0, 1)
for n in N {
  let z = tanh(conv2d(x[n], W))
  y[n] ~ normal(sum(z[c, i, j] * v[c] for c in 3, i in A + 2, j in B + 2), 1)
}`,
		"a convolution of one channel": `
dim N, A
data x[N] : real[1, A + 4, A + 4]
data y[N] : real
param W[2, 1, 3, 3] : real ~ normal(0, 1)
for n in N { y[n] ~ normal(sum(tanh(conv2d(x[n], W))), 1) }`,
		"strides and zeros around": `
dim N
data x[N] : real[2, 7, 6]
data y[N] : real
param W[2, 2, 3, 3] : real ~ normal(0, 0.5)
param V[1, 2, 2, 3] : real ~ normal(0, 0.5)
for n in N {
  let z = tanh(conv2d(x[n], W, stride = 2, pad = 2))    // [2, 5, 4]
  let u = conv2d(z, V, stride = 3, pad = 1)             // [1, 2, 2]
  y[n] ~ normal(u[0, 0, 1] - 2 * u[0, 1, 0] + sum(u), 1)
}`,
		"pools": `
dim N
data x[N] : real[2, 7, 9]
data y[N] : real
param W[3, 2, 2, 2] : real ~ normal(0, 1)
for n in N {
  let z = conv2d(x[n], W)                               // [3, 6, 8]
  let a = max_pool2d(z, 2)
  let b = avg_pool2d(z, 3, stride = 2)
  let c = max_pool2d(z, 3, stride = 1)
  y[n] ~ normal(0.1 * sum(tanh(a)) + sum(b) * 0.2 + tanh(c[1, 0, 5]), 1)
}`,
		"pools of dims": `
dim N, A, B
data x[N] : real[1, 2 * A, 2 * B]
data y[N] : real
param w : real ~ normal(0, 1)
for n in N { y[n] ~ normal(sum(max_pool2d(tanh(w * x[n]), 2)) + sum(avg_pool2d(w * x[n], 2)), 1) }`,
		"two convolutions of unknowns and data": `
dim N
data x[N] : real[1, 8, 8]
data y[N] : index[3]
param W[2, 1, 3, 3], V[3, 2, 2, 2] : real ~ normal(0, 1)
param b[2] : real ~ normal(0, 1)
for n in N {
  let z = conv2d(x[n], W)
  let a = max_pool2d(relu([z[c, :, :] + b[c] for c in 2]), 2)
  let u = conv2d(a, V)
  y[n] ~ categorical_logit([sum(u[k]) for k in 3])
}`,
		"a kernel over a picture of unknowns": `
dim N
data y[N] : real
param p[1, 5, 5] : real ~ normal(0, 1)
let k = conv2d(p, ones(2, 1, 3, 3))
for n in N { y[n] ~ normal(k[1, 0, 2], 1) }
factor -0.1 * sum(tanh(conv2d(p, 0.1 * reshape(p, 1, 1, 5, 5))))`,
		"entries laid out anew": `
dim N
data x[N] : real[2, 3]
data z[N] : real[4]
data y[N] : real
param W[10, 3], v[6] : real ~ normal(0, 0.5)
for n in N {
  let a = tanh(concat(flatten(x[n]), z[n]) @ W)
  let b = reshape(concat(a, a * z[n, 0]), 3, 2) @ reshape(v[0:2], 2)
  y[n] ~ normal(sum(b) + flatten(reshape(v, 2, 3) * x[n])[4], 1)
}`,
		"a convolution in every step": `
dim N, T
data x[N, T] : real[1, 6, 6]
data y[N] : real
param W[1, 2, 3, 3] : real ~ normal(0, 0.5)
for n in N {
  let h = scan t in T from h = zeros(1, 6, 6) { tanh(conv2d(concat(h, x[n, t]), W, pad = 1)) }
  y[n] ~ normal(sum(h[T]), 1)
}`,
	} {
		tricky[name] = text
	}
}
