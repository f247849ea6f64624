# Models, runs and bound models are environments of functions, which are called by $.

object <- function(class, ...) {
  self <- list2env(list(...), parent = emptyenv())
  class(self) <- c(class, "sgppl_object")
  self
}

# A name that an object does not have is an error, not NULL.
`$.sgppl_object` <- function(x, name) {
  if (!exists(name, envir = x, inherits = FALSE)) {
    stop(class(x)[1], " has no ", name, "; it has ", paste(ls(x), collapse = ", "), call. = FALSE)
  }
  get(name, envir = x, inherits = FALSE)
}
