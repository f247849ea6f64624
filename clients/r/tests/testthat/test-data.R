test_that("factors keep their levels, and their order, and unused ones", {
  need_command()
  data <- data.frame(
    school = factor(c("b", "a", "b", "x, \"y\""), levels = c("x, \"y\"", "b", "unused", "a")),
    y = c(1, 2, NA, 4)
  )
  model <- sgppl_model(groups)
  fit <- model$sample(data, engine = "vm", seed = 1, draws = 500)
  names <- posterior::variables(fit$draws())
  expect_identical(grep("^a", names, value = TRUE), paste0("a[", levels(data$school), "]"))
  expect_true(all(c("y.missing[0]", "s") %in% names))
  plain <- posterior::variables(fit$draws(labelled = FALSE))
  expect_identical(grep("^a", plain, value = TRUE), paste0("a[", 0:3, "]"))
  # Words are sorted, as factor() does, by the code points of their letters.
  words <- transform(data, school = as.character(school))
  sorted <- model$sample(words, engine = "vm", draws = 100)
  expect_identical(
    grep("^a", posterior::variables(sorted$draws()), value = TRUE), c("a[a]", "a[b]", "a[x, \"y\"]")
  )
  # New rows are coded by the levels of the run, in whatever order theirs are.
  new <- data.frame(school = factor(c("a", "b"), levels = c("b", "a")))
  y <- unclass(fit$predict(new))
  a <- unclass(fit$draws())
  expect_lt(abs(mean(y[, , 1]) - mean(a[, , "a[a]"])), 0.5)
  expect_lt(abs(mean(y[, , 2]) - mean(a[, , "a[b]"])), 0.5)
  expect_error(fit$predict(data.frame(school = "c")), "levels that the run has not seen: c")
})

test_that("every kind of column arrives as it is", {
  need_command()
  model <- sgppl_model("
dim N, P, G, H
data x[N, P] : real
data day[N] : real
data time[N] : real
data ok[N] : bool
data k[N] : count
data g[N] : index[G] from 1
data h[N] : index[H]
data scale : positive
param w[P] : real ~ normal(0, 1)
param a[G] : real ~ normal(0, 1)
param b[H] : real ~ normal(0, 1)
track t_x = sum(x[n, 1] for n in N)
track t_x0 = x[0, 0]
track t_day = day[1]
track t_time = time[2]
track t_ok = sum(ok[n] for n in N)
track t_k = k[2]
track t_scale = scale
for n in N { day[n] ~ normal(x[n] @ w + a[g[n]] + b[h[n]], scale) }
")
  data <- data.frame(
    day = as.Date(c("2024-01-01", "2024-02-29", "1969-12-31")),
    time = as.POSIXct("2024-02-29 12:00:00", tz = "UTC") + 0:2, ok = c(TRUE, FALSE, TRUE),
    k = c(0L, 3L, 7L), g = factor(c("u", "v", "u")), h = c(0L, 1L, 0L)
  )
  data$x <- cbind(one = c(0.1 + 0.2, 2, 3), two = c(1 / 3, 1e-300, 1e10))
  fit <- model$sample(list(data, scale = 2), engine = "vm", warmup = 20, draws = 5)
  x <- unclass(fit$draws())[1, 1, ]
  expect_identical(x[["t_x0"]], 0.1 + 0.2)
  expect_identical(x[["t_x"]], 1 / 3 + 1e-300 + 1e10)
  expect_identical(x[["t_day"]], 19782)
  expect_equal(x[["t_time"]], 19782.5 + 2 / 86400, tolerance = 1e-15)
  expect_identical(x[c("t_ok", "t_k", "t_scale")], c(t_ok = 2, t_k = 7, t_scale = 2))
  expect_true(all(c("w[one]", "w[two]", "a[u]", "a[v]", "b[1]") %in% names(x)))
})

test_that("lists, sizes, rows of different lengths, paths", {
  need_command()
  model <- sgppl_model("
dim N, M(N), K
data x[N, M] : real
param m[K] : real ~ normal(0, 1)
track last = x[1, 0]
for n in N { for i in M { x[n, i] ~ normal(sum(m), 1) } }
")
  fit <- model$sample(list(x = list(c(1, 2, 3), 0.1), K = 2), engine = "vm", draws = 5, warmup = 20)
  expect_identical(as.vector(unclass(fit$draws("last"))[1, 1, ]), 0.1)
  expect_equal(sum(grepl("^m", posterior::variables(fit$draws()))), 2)
  expect_warning(sgppl_model(schools)$bind(c(eight, z = 1)), "has no data z")
  path <- tempfile(fileext = ".csv")
  utils::write.csv(eight, path, row.names = FALSE)
  by_path <- sgppl_model(schools)$bind(path)
  by_field <- sgppl_model(schools)$bind(c(y = paste0(path, ":y"), sigma = paste0(path, ":sigma")))
  at <- rep(0.3, 10)
  expect_identical(by_path$gradient(at), by_field$gradient(at))
})

test_that("what cannot be read is refused in words", {
  need_command()
  model <- sgppl_model(groups)
  bind <- function(...) model$bind(list(...))
  expect_error(bind(school = 1i, y = 1), "of class complex")
  expect_error(bind(school = factor(1), y = "z"), "y has words, and the model declares it real")
  expect_error(model$bind(1:3), "data must be a data frame")
  expect_error(model$bind(list(1:3)), "element 1 of data has no name")
  # Numbers of an index count from 0: R's habit is warned of by the command.
  expect_warning(
    model$sample(data.frame(school = 1:2, y = 1), engine = "vm", draws = 50, warmup = 50),
    "no entry of school is 0"
  )
})

test_that("a formula gives a model for the same data frame", {
  need_command()
  set.seed(1)
  data <- data.frame(
    x = stats::rnorm(60),
    dose = factor(rep(c("none", "low", "high"), 20), levels = c("none", "low", "high"))
  )
  data$y <- 1 + 2 * data$x + 3 * (data$dose == "high") + stats::rnorm(60, sd = 0.5)
  model <- sgppl_formula(y ~ x + dose, data)
  fit <- model$sample(data, engine = "vm", seed = 1)
  exact <- stats::coef(stats::lm(y ~ x + dose, data))
  means <- stats::setNames(fit$summary()$mean, fit$summary()$variable)
  expect_lt(abs(means[["b_x"]] - exact[["x"]]), 0.05)
  dose <- means[grepl("dose", names(means))]
  expect_lt(min(abs(dose - exact[["dosehigh"]])), 0.1)
  expect_lt(min(abs(dose - exact[["doselow"]])), 0.1)
  counts <- sgppl_formula("y ~ 1", data.frame(y = c(0, 2, 1)), family = "poisson")
  expect_match(counts$code(), "poisson")
  expect_error(sgppl_formula(y ~ z, data), "z")
})
