# Runs.

sgppl_fit <- function(dir) {
  dir <- normalizePath(dir, mustWork = FALSE)
  said <- jsonlite::fromJSON(run_command(c("summary", dir, "--json")))
  labels <- run_names(dir)
  kept <- new.env(parent = emptyenv())
  once <- function(name, make) {
    if (is.null(kept[[name]])) kept[[name]] <- make()
    kept[[name]]
  }
  log_lik <- function() once("log_lik", function() fit_log_lik(dir))
  bound <- function() once("bound", function() bind_run(dir))
  object(
    "sgppl_fit",
    dir = dir,
    verdict = said$verdict,
    health = function() said$health,
    summary = function() summary_table(said),
    draws = function(variables = NULL, format = "draws_array", labelled = TRUE) {
      x <- once("draws", function() fit_draws(dir, labels))
      if (!labelled) x <- unlabelled(x)
      if (!is.null(variables)) x <- posterior::subset_draws(x, variable = variables)
      in_format(x, format)
    },
    sampler_diagnostics = function(format = "draws_array") {
      in_format(as_array(once("stats", function() fit_group(dir, "sample_stats"))), format)
    },
    log_lik = log_lik,
    loo = function(...) loo_of(log_lik(), ...),
    predict = function(data = NULL, set = list(), format = "draws_array", ...) {
      in_format(predict_run(dir, data, set, labels, list(...)), format)
    },
    derive = function(expressions, format = "draws_array", ...) {
      in_format(derive_run(dir, expressions, labels, list(...)), format)
    },
    report = function(path) {
      run_command(c("report", dir, "--out", path, "--force"))
      invisible(path)
    },
    log_density = function(x, jacobian = TRUE) bound()$log_density(x, jacobian),
    gradient = function(x, jacobian = TRUE) bound()$gradient(x, jacobian),
    constrain = function(x) bound()$constrain(x),
    unconstrain = function(values) bound()$unconstrain(values)
  )
}

# run_names are the names of the entries of a run's dims.
run_names <- function(dir) {
  path <- file.path(dir, "names.json")
  if (!file.exists(path)) return(list())
  lapply(jsonlite::fromJSON(path, simplifyVector = FALSE), as.character)
}

# bind_run binds the model of a run to the data that it read.
bind_run <- function(dir) {
  run <- jsonlite::fromJSON(file.path(dir, "run.json"), simplifyVector = FALSE)
  source <- list(model = file.path(dir, "model.sg"), na = run$na %||% "")
  for (name in c("names", "levels", "set")) source[[name]] <- unlist(run[[name]])
  source$data <- unlist(run$inputs)
  new_bound(source)
}

summary_table <- function(said) {
  v <- said$vars
  names(v)[names(v) == "name"] <- "variable"
  names(v)[names(v) == "q50"] <- "median"
  first <- c(
    "variable", "label", "mean", "median", "sd", "q5", "q95", "rhat", "ess_bulk", "ess_tail"
  )
  v[c(intersect(first, names(v)), setdiff(names(v), first))]
}

predict_run <- function(dir, data, set, labels, given) {
  work <- tempfile("sgppl-")
  dir.create(work)
  on.exit(unlink(work, recursive = TRUE))
  info <- model_info(file.path(dir, "model.sg"))
  written <- write_data(data, info, file.path(work, "data"), labels)
  store <- file.path(work, "predictions.zarr")
  args <- c("predict", dir, "--out", store, settings(utils::modifyList(written$set, set)))
  for (spec in written$data) args <- c(args, "--data", spec)
  run_command(c(args, flags(given)))
  as_array(read_group(store, "posterior_predictive", labels))
}

derive_run <- function(dir, expressions, labels, given) {
  work <- tempfile("sgppl-")
  dir.create(work)
  on.exit(unlink(work, recursive = TRUE))
  store <- file.path(work, "derived.zarr")
  named <- names(expressions)
  if (!is.null(named)) expressions <- paste0(named, ifelse(nzchar(named), " = ", ""), expressions)
  run_command(c("derive", dir, expressions, "--out", store, flags(given)))
  as_array(read_group(store, "posterior", labels))
}

sgppl_resume <- function(fit, more_draws = NULL, show = interactive()) {
  dir <- if (inherits(fit, "sgppl_fit")) fit$dir else fit
  args <- c("sample", "--resume", dir, "--progress", if (show) "plain" else "none")
  if (!is.null(more_draws)) args <- c(args, "--more-draws", plain(more_draws))
  run_command(args, show)
  sgppl_fit(dir)
}

summary.sgppl_fit <- function(object, ...) object$summary()

print.sgppl_fit <- function(x, ...) {
  cat(x$verdict, "\n\n", sep = "")
  table <- x$summary()
  table <- table[setdiff(names(table), c("mcse_mean", "mcse_sd"))]
  print(utils::head(table, 20), digits = 3, row.names = FALSE)
  if (nrow(table) > 20) cat("and ", nrow(table) - 20, " more; summary() has all\n", sep = "")
  cat("\nrun directory: ", x$dir, "\n", sep = "")
  invisible(x)
}
