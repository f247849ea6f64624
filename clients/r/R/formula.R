# Regressions by a formula.

sgppl_formula <- function(formula, data, family = "gaussian", ...) {
  text <- if (inherits(formula, "formula")) {
    paste(trimws(deparse(formula, width.cutoff = 500L)), collapse = " ")
  } else {
    formula
  }
  work <- tempfile("sgppl-")
  dir.create(work)
  on.exit(unlink(work, recursive = TRUE))
  path <- file.path(work, "data.csv")
  write_lines(table_text(data), path)
  args <- c("formula", text, "--data", path, "--family", family)
  for (name in names(data)) {
    if (is.factor(data[[name]])) {
      levels <- paste(quoted(clean(levels(data[[name]]))), collapse = ",")
      args <- c(args, "--levels", paste0(name, "=", levels))
    }
  }
  said <- strsplit(run_command(c(args, flags(list(...)))), "\n", fixed = TRUE)[[1]]
  sgppl_model(paste(said[!startsWith(said, "// Fit it by:")], collapse = "\n"))
}

quoted <- function(x) paste0("\"", gsub("\"", "\"\"", x, fixed = TRUE), "\"")

# table_text is a data frame as lines of csv.
table_text <- function(data) {
  columns <- lapply(data, function(x) {
    text <- if (is_words(x)) {
      quoted(clean(as.character(x)))
    } else if (inherits(x, c("Date", "POSIXt", "difftime"))) {
      exact(numbers_of(x, "", list(), list()))
    } else if (is.logical(x)) {
      as.character(as.integer(x))
    } else {
      exact(as.double(x))
    }
    text[is.na(x)] <- ""
    text
  })
  c(paste(quoted(names(data)), collapse = ","), do.call(paste, c(unname(columns), sep = ",")))
}
