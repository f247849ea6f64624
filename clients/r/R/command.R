# How the command sgppl is found and run.

sgppl_command <- function() {
  given <- getOption("sgppl.command", Sys.getenv("SGPPL"))
  if (nzchar(given)) {
    path <- Sys.which(given)
    if (!nzchar(path)) {
      refuse(5, given, " is not a program; option sgppl.command or variable SGPPL names it")
    }
    return(unname(path))
  }
  for (path in c(Sys.which("sgppl"), installed_command())) {
    if (nzchar(path) && file.exists(path)) return(unname(path))
  }
  refuse(
    5, "the command sgppl is not on PATH. sgppl_install() gets a release; ",
    "else set option sgppl.command or variable SGPPL to its path"
  )
}

# refuse signals an error of class sgppl_error. Its status is the exit status of the command:
# 1 a model, 2 a command line, 3 data, 4 a run, 5 files; 130 an interrupt.
refuse <- function(status, ...) {
  stop(structure(
    class = c("sgppl_error", "error", "condition"),
    list(message = paste0(...), call = NULL, status = status)
  ))
}

# run_command runs the command, and returns what it prints on standard output. With show its
# notes and progress become messages as they come. Its warnings are warnings of R.
run_command <- function(args, show = FALSE) {
  out <- tempfile("sgppl-out-")
  on.exit(unlink(out))
  child <- processx::process$new(
    sgppl_command(), enc2utf8(args), stdout = out, stderr = "|", encoding = "UTF-8"
  )
  said <- character()
  stopped <- FALSE
  repeat {
    tryCatch(
      {
        child$poll_io(500)
        lines <- child$read_error_lines()
        said <- c(said, lines)
        if (show) for (line in lines) message(line)
      },
      interrupt = function(e) {
        stopped <<- TRUE
        child$interrupt() # the command ends its run, which can be resumed
      }
    )
    if (!child$is_incomplete_error()) break
  }
  child$wait()
  status <- child$get_exit_status()
  if (status != 0) {
    refuse(if (stopped) 130L else status, paste(said, collapse = "\n"))
  }
  warned <- grep("^note: warning: ", said, value = TRUE)
  for (line in warned) warning(sub("^note: warning: ", "", line), call. = FALSE)
  paste(readLines(out, encoding = "UTF-8", warn = FALSE), collapse = "\n")
}

# flags are named arguments as flags of the command: TRUE is a flag without a value, a vector
# one that is repeated, and names of its elements stand before the values, as in step = c(a = 0.1).
flags <- function(given) {
  if (length(given) > 0 && (is.null(names(given)) || any(!nzchar(names(given))))) {
    refuse(2, "flags have names, as in draws = 2000")
  }
  out <- character()
  for (name in names(given)) {
    flag <- paste0("--", gsub("_", "-", name, fixed = TRUE))
    values <- given[[name]]
    for (i in seq_along(values)) {
      value <- values[[i]]
      if (isTRUE(value)) {
        out <- c(out, flag)
      } else if (!isFALSE(value)) {
        key <- names(values)[i]
        text <- paste0(if (!is.null(key) && nzchar(key)) paste0(key, "="), plain(value))
        out <- c(out, paste0(flag, "=", text))
      }
    }
  }
  out
}

# plain is a value as the command reads it: a whole number without an exponent, another so
# that it is read as the same number.
plain <- function(value) {
  if (!is.numeric(value)) return(as.character(value))
  if (is.finite(value) && value == round(value) && abs(value) < 1e15) {
    return(sprintf("%.0f", value))
  }
  exact(value)
}

# exact writes numbers with all digits that they have. R's own reader of decimals rounds some
# of them wrongly, so fewer digits cannot be tried.
exact <- function(x) sprintf("%.17g", x)

settings <- function(set) {
  unlist(lapply(names(set), function(name) c("--set", paste0(name, "=", plain(set[[name]])))))
}
