data { int N; array[N] int<lower=-1> y; }
// data: {"N": 4, "y": [2, -1, 0, 3]}
parameters { real<lower=0> lambda; }
model { for (n in 1:N) { if (y[n] >= 0) y[n] ~ poisson(lambda); } }
