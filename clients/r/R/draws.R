# Draws of runs as those of the package posterior.

# export_store copies the draws of a run, checked against their digests: of a run that is not
# complete those that can be used together. The caller removes the copy.
export_store <- function(dir) {
  store <- file.path(tempfile("sgppl-"), "draws.zarr")
  dir.create(dirname(store))
  run_command(c("export", dir, "--to", "zarr", "--out", store))
  store
}

# fit_group reads a group of a run's draws; NULL where the run has none.
fit_group <- function(dir, group, labels = list()) {
  store <- export_store(dir)
  on.exit(unlink(dirname(store), recursive = TRUE))
  read_group(store, group, labels)
}

as_array <- function(x) posterior::as_draws_array(x)

fit_draws <- function(dir, labels) {
  x <- fit_group(dir, "posterior", labels)
  if (is.null(x)) refuse(3, dir, " has no draws, but means and quantiles (keep = \"moments\")")
  structure(as_array(x), positions = attr(x, "positions"))
}

# unlabelled names entries by their places.
unlabelled <- function(x) {
  dimnames(x)[[3]] <- attr(x, "positions")
  x
}

# fit_log_lik is the log likelihood of each observation in each draw. A run that has not
# stored it gets it now.
fit_log_lik <- function(dir) {
  x <- fit_group(dir, "log_likelihood")
  if (is.null(x)) {
    run_command(c("loo", dir, "--save"))
    x <- fit_group(dir, "log_likelihood")
  }
  x
}

formats <- c("draws_array", "draws_df", "draws_matrix", "draws_list", "draws_rvars")

in_format <- function(x, format) {
  format <- if (startsWith(format, "draws_")) format else paste0("draws_", format)
  if (!format %in% formats) {
    refuse(2, "there is no format ", format, "; there are ", paste(formats, collapse = ", "))
  }
  getExportedValue("posterior", paste0("as_", format))(x)
}

as_draws.sgppl_fit <- function(x, ...) x$draws(...)
as_draws_array.sgppl_fit <- function(x, ...) x$draws(format = "draws_array", ...)
as_draws_df.sgppl_fit <- function(x, ...) x$draws(format = "draws_df", ...)
as_draws_list.sgppl_fit <- function(x, ...) x$draws(format = "draws_list", ...)
as_draws_matrix.sgppl_fit <- function(x, ...) x$draws(format = "draws_matrix", ...)
as_draws_rvars.sgppl_fit <- function(x, ...) x$draws(format = "draws_rvars", ...)

# The names that bayesplot has for what nuts says of its steps.
nuts_names <- c(
  acceptance_rate = "accept_stat__", step_size = "stepsize__", tree_depth = "treedepth__",
  n_steps = "n_leapfrog__", diverging = "divergent__", energy = "energy__"
)

nuts_params.sgppl_fit <- function(object, pars = NULL, ...) {
  x <- unclass(object$sampler_diagnostics())
  out <- do.call(rbind, lapply(intersect(names(nuts_names), dimnames(x)[[3]]), function(name) {
    data.frame(
      Chain = rep(seq_len(ncol(x)), each = nrow(x)), Iteration = rep(seq_len(nrow(x)), ncol(x)),
      Parameter = nuts_names[[name]], Value = as.vector(x[, , name])
    )
  }))
  if (!is.null(pars)) out <- out[out$Parameter %in% pars, ]
  out$Parameter <- factor(out$Parameter, levels = unique(out$Parameter))
  rownames(out) <- NULL
  out
}

log_posterior.sgppl_fit <- function(object, ...) {
  x <- unclass(object$sampler_diagnostics())
  data.frame(
    Chain = rep(seq_len(ncol(x)), each = nrow(x)), Iteration = rep(seq_len(nrow(x)), ncol(x)),
    Value = as.vector(x[, , "lp"])
  )
}

loo.sgppl_fit <- function(x, ...) x$loo(...)

loo_of <- function(log_lik, ...) {
  loo::loo(log_lik, r_eff = loo::relative_eff(exp(log_lik)), ...)
}
