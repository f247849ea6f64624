# Models bound to data, evaluated by a child that lives as long as they do.

# new_bound starts the child and binds a model. source has the params of bind in docs/serve.md.
new_bound <- function(source, set = list()) {
  self <- new.env(parent = emptyenv())
  self$id <- 0
  self$child <- processx::process$new(
    sgppl_command(), c("serve", "--stdio"), stdin = "|", stdout = "|", encoding = "UTF-8"
  )
  close_child <- function(self) {
    if (self$child$is_alive()) {
      close(self$child$get_input_connection()) # the command ends with its input
      self$child$wait(2000)
      self$child$kill()
    }
  }
  reg.finalizer(self, close_child, onexit = TRUE)
  more <- vapply(names(set), function(n) paste0(n, "=", plain(set[[n]])), "")
  source$set <- c(source$set, more)
  for (name in c("data", "names", "levels", "set")) {
    source[[name]] <- as.list(unname(source[[name]]))
  }
  model <- tryCatch(
    ask(self, "bind", jsonlite::toJSON(source, auto_unbox = TRUE)),
    error = function(e) {
      close_child(self)
      stop(e)
    }
  )
  at <- function(method, x, more = "") {
    ask(self, method, sprintf("{\"model\": %d, \"x\": %s%s}", model$model, json(x), more))
  }
  with_jacobian <- function(jacobian) {
    sprintf(", \"jacobian\": %s", if (jacobian) "true" else "false")
  }
  object(
    "sgppl_bound",
    name = model$name, dim = model$dim, variables = model$variables,
    log_density = function(x, jacobian = TRUE) {
      numbers(at("log_density", x, with_jacobian(jacobian)))
    },
    gradient = function(x, jacobian = TRUE) {
      got <- at("gradient", x, with_jacobian(jacobian))
      list(log_density = numbers(got$log_density), gradient = numbers(got$gradient))
    },
    constrain = function(x) shaped(at("constrain", x), model$variables),
    unconstrain = function(values) {
      given <- vapply(values, function(v) json(by_rows(v)), "")
      text <- paste(sprintf("\"%s\": %s", names(values), given), collapse = ", ")
      params <- sprintf("{\"model\": %d, \"values\": {%s}}", model$model, text)
      numbers(ask(self, "unconstrain", params))
    },
    log_lik = function(x) numbers(at("log_lik", x)),
    close = function() invisible(close_child(self))
  )
}

# ask sends a request, whose params are JSON, and returns its result.
ask <- function(self, method, params) {
  if (!self$child$is_alive()) refuse(5, "sgppl serve has ended")
  self$id <- self$id + 1
  rest <- charToRaw(sprintf(
    "{\"jsonrpc\": \"2.0\", \"id\": %.0f, \"method\": \"%s\", \"params\": %s}\n",
    self$id, method, params
  ))
  repeat {
    rest <- self$child$write_input(rest)
    if (length(rest) == 0) break
    Sys.sleep(0.001) # the child reads
  }
  repeat {
    line <- self$child$read_output_lines(n = 1)
    if (length(line) > 0) break
    if (!self$child$is_incomplete_output()) refuse(5, "sgppl serve has ended")
    self$child$poll_io(-1)
  }
  answer <- jsonlite::fromJSON(line, simplifyVector = TRUE, simplifyDataFrame = FALSE)
  if (!is.null(answer$error)) refuse(answer$error$code, answer$error$message)
  answer$result
}

# numbers are those of an answer, in which some are words.
numbers <- function(x) {
  if (is.numeric(x)) return(as.double(x))
  words <- c(`NaN` = NaN, `Inf` = Inf, `-Inf` = -Inf)
  x <- as.character(unlist(x))
  special <- x %in% names(words)
  out <- numeric(length(x))
  out[special] <- words[x[special]]
  out[!special] <- as.numeric(x[!special])
  out
}

# by_rows has the entries of an array with the last index fastest, as the command has them.
by_rows <- function(x) if (length(dim(x)) > 1) as.vector(aperm(x)) else as.vector(x)

# shaped gives the values of variables their shapes.
shaped <- function(values, variables) {
  out <- lapply(variables, function(v) {
    x <- numbers(values[[v$name]])
    shape <- as.integer(unlist(v$shape))
    if (length(shape) < 2) x else aperm(array(x, rev(shape)))
  })
  names(out) <- vapply(variables, `[[`, "", "name")
  out
}

print.sgppl_bound <- function(x, ...) {
  cat(x$name, ": a state of ", x$dim, " numbers\n", sep = "")
  for (v in x$variables) {
    axes <- if (length(v$dims) > 0) paste0("[", paste(v$dims, collapse = ", "), "]")
    cat("  ", v$name, axes, "\n", sep = "")
  }
  invisible(x)
}
