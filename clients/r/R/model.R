# Models.

sgppl_model <- function(model) {
  path <- model_path(model)
  info <- model_info(path)
  object(
    "sgppl_model",
    path = path,
    code = function() paste(readLines(path, encoding = "UTF-8", warn = FALSE), collapse = "\n"),
    sample = function(data = NULL, dir = NULL, set = list(), show = interactive(), ...) {
      sample_model(path, info, data, dir, set, show, list(...))
    },
    bind = function(data = NULL, set = list()) {
      work <- tempfile("sgppl-")
      on.exit(unlink(work, recursive = TRUE))
      given <- write_data(data, info, work)
      new_bound(list(model = path, data = given$data, names = given$names),
                utils::modifyList(given$set, set))
    }
  )
}

# model_path is the file of a model that is given as one, or as its text.
model_path <- function(model) {
  if (!is.character(model) || length(model) == 0 || anyNA(model)) {
    refuse(2, "a model is the path of a file, or its text")
  }
  if (length(model) == 1 && grepl("\\.sg$", model) && !grepl("\n", model, fixed = TRUE)) {
    if (!file.exists(model)) refuse(5, model, " does not exist")
    return(normalizePath(model))
  }
  path <- file.path(tempfile("sgppl-"), "model.sg")
  dir.create(dirname(path))
  write_lines(model, path)
  normalizePath(path)
}

write_lines <- function(lines, path) {
  file <- file(path, "wb")
  on.exit(close(file))
  writeLines(enc2utf8(lines), file, useBytes = TRUE)
}

# model_info says which inputs a model has, and which sizes. A wrong model is an error with
# the text that `sgppl check` prints.
model_info <- function(path) {
  text <- tryCatch(
    run_command(c("check", "--json", path)),
    sgppl_error = function(e) {
      run_command(c("check", path))
      stop(e)
    }
  )
  said <- jsonlite::fromJSON(text, simplifyVector = FALSE)
  data <- lapply(said$data, function(v) {
    list(
      type = v$type, shape = as.character(unlist(v$shape)),
      index = found("index\\[([[:alnum:]_]+)\\]", v$type),
      from = as.integer(found("counted from (-?[0-9]+)", v$storage %||% "") %||% 0L)
    )
  })
  names(data) <- vapply(said$data, `[[`, "", "name")
  list(data = data, dims = vapply(said$dims, `[[`, "", "name"))
}

# found is the first group of a pattern in a text; NULL without a match.
found <- function(pattern, text) {
  all <- regmatches(text, regexec(pattern, text))[[1]]
  if (length(all) == 2) all[2]
}

sample_model <- function(path, info, data, dir, set, show, given) {
  if (is.null(dir)) dir <- file.path(tempfile("sgppl-"), "run")
  written <- write_data(data, info, paste0(dir, "-data"))
  args <- c("sample", path, "--out", dir)
  for (spec in written$data) args <- c(args, "--data", spec)
  for (spec in written$names) args <- c(args, "--names", spec)
  args <- c(args, settings(utils::modifyList(written$set, set)), flags(given))
  if (!"progress" %in% names(given)) {
    args <- c(args, "--progress", if (show) "plain" else "none")
  }
  run_command(args, show)
  sgppl_fit(dir)
}

print.sgppl_model <- function(x, ...) {
  cat(x$code(), "\n", sep = "")
  invisible(x)
}
