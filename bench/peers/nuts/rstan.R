# Rscript rstan.R STAN_DIR DATA_DIR REPEATS [MODEL...]: NUTS of Debian's rstan on the models, 4 chains of
# 1000 + 1000 on one core. Prints a line of JSON a model: seconds of compiling, medians over the repeats of
# processor time of a call of sampling() and of the sampler itself, minimum bulk ESS, gradients a second.
suppressMessages({library(rstan); library(posterior)})
# Debian's headers are in packages of their own.
if (!file.exists(rstan_options("boost_lib"))) rstan_options(boost_lib = "/usr/include")
if (!file.exists(rstan_options("eigen_lib"))) rstan_options(eigen_lib = "/usr/include/eigen3")
args <- commandArgs(TRUE)
cpu <- function() sum(proc.time()[c(1, 2, 4, 5)])
timed <- function(f) { b <- cpu(); t <- proc.time()[[3]]; v <- f(); list(value = v, seconds = cpu() - b, clock = proc.time()[[3]] - t) }
models <- if (length(args) > 3) args[-(1:3)] else c("eight_schools", "radon", "regression")
for (m in models) {
  data <- jsonlite::fromJSON(file.path(args[2], paste0(m, ".json")))
  compile <- timed(function() stan_model(file.path(args[1], paste0(m, ".stan"))))
  model <- compile$value
  runs <- lapply(seq_len(as.integer(args[3])), function(i) timed(function()
    suppressWarnings(sampling(model, data = data, chains = 4, iter = 2000, warmup = 1000, cores = 1, refresh = 0, seed = i))))
  of <- function(f) median(sapply(runs, f))
  ess <- function(r) { s <- summarise_draws(as_draws(r$value), "ess_bulk"); min(s$ess_bulk[s$variable != "lp__"]) }
  leapfrogs <- function(r) sum(sapply(get_sampler_params(r$value, inc_warmup = TRUE), function(p) sum(p[, "n_leapfrog__"])))
  inside <- function(r) sum(get_elapsed_time(r$value))
  fit <- runs[[1]]$value
  x <- rep(0.01, get_num_upars(fit))
  n <- 2000
  for (k in 1:3) { g <- timed(function() for (i in seq_len(n)) grad_log_prob(fit, x)); n <- max(100, ceiling(n * 0.5 / max(g$seconds, 1e-3))) }
  cat(jsonlite::toJSON(list(model = m, compile = compile$seconds, sampling = of(function(r) r$seconds), clock = of(function(r) r$clock), sampler = of(inside), ess = of(ess),
    leapfrogs = of(leapfrogs), leapfrog_rate = of(function(r) leapfrogs(r) / inside(r)), call_rate = n / g$seconds,
    stan = stan_version(), rstan = as.character(packageVersion("rstan"))), auto_unbox = TRUE, digits = 6), "\n")
}
