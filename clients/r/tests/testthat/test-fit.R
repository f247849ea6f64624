test_that("posterior agrees with the summary of the command", {
  fit <- eight_fit()
  expect_match(fit$verdict, "^(ok|unsure)")
  ours <- summary(fit)
  theirs <- posterior::summarise_draws(
    fit$draws(), "mean", "sd", "median", "mcse_mean", "rhat", "ess_bulk", "ess_tail",
    quantiles = ~ stats::quantile(.x, c(0.05, 0.95))
  )
  expect_identical(ours$variable, theirs$variable)
  for (name in c("mean", "sd", "median", "mcse_mean", "rhat", "ess_bulk", "ess_tail")) {
    expect_equal(ours[[name]], as.numeric(theirs[[name]]), tolerance = 1e-10, label = name)
  }
  expect_equal(ours$q5, as.numeric(theirs$`5%`), tolerance = 1e-12)
  expect_equal(ours$q95, as.numeric(theirs$`95%`), tolerance = 1e-12)
})

test_that("draws are those of the csv that the command exports", {
  fit <- eight_fit()
  path <- tempfile(fileext = ".csv")
  system2(sgppl_command(), c("export", fit$dir, "--to", "csv", "--out", path), stdout = FALSE)
  csv <- utils::read.csv(path, check.names = FALSE)
  x <- unclass(fit$draws())
  expect_identical(dim(x), c(1000L, 4L, 18L))
  expect_identical(dimnames(x)$variable, names(csv)[-(1:2)])
  for (chain in 1:4) {
    rows <- csv$chain == chain - 1
    for (name in dimnames(x)$variable) {
      ours <- unname(x[, chain, name])
      wrong <- abs(ours - csv[[name]][rows]) > 4e-16 * abs(ours) # R reads decimals so well
      expect_false(any(wrong), label = paste(name, chain))
    }
  }
})

test_that("draws have the formats of posterior", {
  fit <- eight_fit()
  for (format in c("array", "df", "matrix", "list", "rvars")) {
    x <- fit$draws("theta", format = format)
    expect_s3_class(x, paste0("draws_", format))
    as <- getExportedValue("posterior", paste0("as_draws_", format))
    expect_equal(posterior::ndraws(as(fit)), 4000)
  }
  expect_equal(length(posterior::as_draws_rvars(fit)$theta), 8)
  expect_equal(status_of(fit$draws(format = "data.frame")), 2)
})

test_that("four chains of a thousand draws of a hundred numbers are read within a second", {
  need_command()
  model <- sgppl_model("dim P = 100\nparam x[P] : real ~ normal(0, 1)\n")
  fit <- model$sample(engine = "vm", seed = 1)
  took <- system.time(x <- fit$draws())[["elapsed"]]
  expect_identical(dim(x), c(1000L, 4L, 100L))
  expect_lt(took, if (nzchar(Sys.getenv("SGPPL_TESTS"))) 5 else 1) # of a machine that is busy
  message(sprintf("4 x 1000 x 100 draws: %.2f s", took))
})

test_that("loo is that of the package loo, and near that of the command", {
  skip_if_not_installed("loo")
  fit <- eight_fit()
  got <- suppressWarnings(loo::loo(fit)) # the run has not stored the log likelihoods
  expect_identical(dim(fit$log_lik()), c(1000L, 4L, 8L))
  said <- system2(sgppl_command(), c("loo", fit$dir, "--json"), stdout = TRUE, stderr = FALSE)
  said <- jsonlite::fromJSON(said)
  elpd <- unlist(said)[["elpd_loo"]]
  expect_equal(got$estimates["elpd_loo", "Estimate"], as.numeric(elpd), tolerance = 1e-3)
  # The log likelihood of a draw is that of its formula.
  theta <- unclass(fit$draws("theta"))[10, 2, ]
  expect_equal(
    unname(fit$log_lik()[10, 2, ]), stats::dnorm(eight$y, theta, eight$sigma, log = TRUE),
    ignore_attr = TRUE
  )
})

test_that("bayesplot has what it asks for", {
  skip_if_not_installed("bayesplot")
  fit <- eight_fit()
  steps <- bayesplot::nuts_params(fit)
  expect_setequal(levels(steps$Parameter), c(
    "accept_stat__", "stepsize__", "treedepth__", "n_leapfrog__", "divergent__", "energy__"
  ))
  expect_equal(nrow(bayesplot::nuts_params(fit, pars = "energy__")), 4000)
  expect_equal(nrow(bayesplot::log_posterior(fit)), 4000)
  expect_true(all(is.finite(bayesplot::log_posterior(fit)$Value)))
  expect_s3_class(bayesplot::mcmc_parcoord(fit$draws(), np = steps), "ggplot")
})

test_that("predictions, quantities, reports and longer runs", {
  fit <- eight_fit()
  y <- unclass(fit$predict())
  expect_identical(dim(y), c(1000L, 4L, 8L))
  expect_lt(abs(mean(y[, , 1]) - mean(unclass(fit$draws("theta[0]")))), 1)
  d <- fit$derive(c(d = "theta[0] - theta[1]"))
  x <- unclass(fit$draws())
  expect_equal(unclass(d)[, , "d"], x[, , "theta[0]"] - x[, , "theta[1]"], ignore_attr = TRUE)
  page <- fit$report(tempfile(fileext = ".html"))
  expect_gt(file.size(page), 1000)
  short <- sgppl_model(schools)$sample(eight, engine = "vm", draws = 100, chunk = 40)
  more <- sgppl_resume(short, 50)
  x <- unclass(more$draws())
  expect_identical(dim(x), c(150L, 4L, 18L))
  expect_equal(unname(apply(x, 3, mean)), summary(more)$mean, tolerance = 1e-12)
})

test_that("errors have the status of the command and its text", {
  need_command()
  wrong <- expect_error(sgppl_model("param a : rael\n"), "did you mean real", class = "sgppl_error")
  expect_equal(wrong$status, 1)
  model <- sgppl_model(schools)
  expect_equal(status_of(model$sample(list(y = 1:2, sigma = 1), engine = "vm")), 3)
  expect_equal(status_of(model$sample(eight, engine = "vm", drwas = 3)), 2)
  expect_equal(status_of(sgppl_fit(tempfile())), 5)
  expect_error(model$smaple(), "it has bind, code, path, sample")
})
