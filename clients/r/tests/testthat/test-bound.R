test_that("gradients are slopes, and states go to values and back", {
  need_command()
  bound <- sgppl_model(schools)$bind(eight)
  x <- c(0.3, -0.2, rep(0.1, 8))
  expect_equal(bound$dim, 10)
  at <- bound$gradient(x)
  expect_identical(at$log_density, bound$log_density(x))
  h <- 1e-5
  slope <- vapply(1:10, function(i) {
    e <- replace(numeric(10), i, h)
    (bound$log_density(x + e) - bound$log_density(x - e)) / (2 * h)
  }, 0)
  expect_equal(at$gradient, slope, tolerance = 1e-7)
  values <- bound$constrain(x)
  expect_equal(values$tau, exp(-0.2))
  expect_equal(values$theta, values$mu + values$tau * values$eta)
  expect_equal(bound$unconstrain(values[c("mu", "tau", "eta")]), x, tolerance = 1e-14)
  expect_equal(bound$log_density(x) - bound$log_density(x, jacobian = FALSE), -0.2)
  expect_identical(bound$log_density(c(1e200, x[-1])), -Inf)
  expect_error(bound$log_density(1:2), "has 2 numbers", class = "sgppl_error")
  expect_identical(bound$gradient(x), at) # after an error too
  bound$close()
  expect_equal(status_of(bound$gradient(x)), 5)
})

test_that("log likelihoods are those of the rows", {
  need_command()
  model <- sgppl_model(sub("real?", "real", groups, fixed = TRUE))
  bound <- model$bind(list(school = c("a", "b", "a"), y = c(1, 2, 4)))
  got <- bound$log_lik(bound$unconstrain(list(a = c(1, 3), s = 2)))
  expect_equal(got, stats::dnorm(c(1, 2, 4), c(1, 3, 1), 2, log = TRUE))
})

test_that("arrays keep their shape", {
  need_command()
  bound <- sgppl_model("dim I = 2, J = 3\nparam a[I, J] : real ~ normal(0, 1)\n")$bind()
  x <- c(1, 2, 3, 4, 5, 6)
  a <- bound$constrain(x)$a
  expect_identical(a, matrix(x, 2, byrow = TRUE))
  expect_identical(bound$unconstrain(list(a = a)), x)
  bound$close()
})

test_that("a run evaluates its own density, with the data that it has read", {
  fit <- eight_fit()
  bound <- sgppl_model(schools)$bind(eight)
  x <- rep(0.2, 10)
  expect_identical(fit$gradient(x), bound$gradient(x))
  expect_identical(fit$unconstrain(fit$constrain(x)[c("mu", "tau", "eta")]), x)
})

test_that("states of a hundred thousand numbers pass", {
  need_command()
  bound <- sgppl_model("dim P = 100000\nparam x[P] : real ~ normal(0, 1)\n")$bind()
  x <- seq(-1, 1, length.out = 1e5)
  expect_equal(bound$gradient(x)$gradient, -x, tolerance = 1e-15)
})

test_that("wrong data are refused when they are bound", {
  need_command()
  expect_equal(status_of(sgppl_model(schools)$bind(list(y = 1:2, sigma = 1))), 3)
})
