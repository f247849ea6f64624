# Data frames, lists and paths as the command takes them.

# write_data writes the inputs of a model into a directory, and returns what --data, --set and
# --names are given. info is of the model, by model_info. known has the names of the entries
# of dims that a run has given already: words are looked up in them.
write_data <- function(data, info, directory, known = list()) {
  if (is.null(data)) return(list(data = character(), set = list(), names = character()))
  if (is.character(data)) {
    specs <- unname(data)
    if (!is.null(names(data))) {
      specs <- paste0(names(data), ifelse(nzchar(names(data)), "=", ""), specs)
    }
    return(list(data = specs, set = list(), names = character()))
  }
  given <- fields(data)
  inputs <- info$data[intersect(names(given), names(info$data))]
  sizes <- sized(given, info, warn = !is.data.frame(data))
  dir.create(directory, recursive = TRUE, showWarnings = FALSE)
  directory <- normalizePath(directory)
  levels <- utils::modifyList(all_levels(given, inputs, known), known)
  specs <- vapply(names(inputs), function(name) {
    x <- numbers_of(given[[name]], name, inputs[[name]], levels)
    write_input(x, name, inputs[[name]], directory)
  }, "")
  list(data = unname(specs), set = sizes, names = write_names(levels, known, directory))
}

# fields are the columns of a data frame, or the elements of a list; data frames in a list
# that have no name give their columns.
fields <- function(data) {
  if (!is.list(data)) {
    refuse(3, "data must be a data frame, a named list, or paths of files, not ", class(data)[1])
  }
  if (is.data.frame(data)) return(as.list(data))
  out <- list()
  for (i in seq_along(data)) {
    name <- names(data)[i]
    if (!is.null(name) && nzchar(name)) {
      out[name] <- data[i]
    } else if (is.data.frame(data[[i]])) {
      out <- c(out, as.list(data[[i]]))
    } else {
      refuse(3, "element ", i, " of data has no name")
    }
  }
  out
}

# sized are the elements that are sizes of the model. What a list has besides is warned of.
sized <- function(given, info, warn) {
  is_size <- names(given) %in% info$dims
  other <- setdiff(names(given)[!is_size], names(info$data))
  if (warn && length(other) > 0) {
    warning("the model has no data ", paste(other, collapse = ", "), call. = FALSE)
  }
  lapply(given[is_size], function(x) x[[1]])
}

is_words <- function(x) is.factor(x) || is.character(x)

# all_levels finds, for every dim that words or the columns of a matrix name, its entries.
all_levels <- function(given, inputs, known) {
  out <- list()
  for (name in names(inputs)) {
    x <- given[[name]]
    dim <- inputs[[name]]$index
    if (!is_words(x) || is.null(dim) || !is.null(known[[dim]])) next
    new <- if (is.factor(x)) levels(x) else sort(unique(x[!is.na(x)]), method = "radix")
    out[[dim]] <- union(out[[dim]], new)
  }
  for (name in names(inputs)) {
    x <- given[[name]]
    axes <- inputs[[name]]$shape
    if (is.data.frame(x)) x <- as.matrix(x)
    if (length(axes) == 2 && is.matrix(x) && !is.null(colnames(x)) &&
          is.null(out[[axes[2]]]) && grepl("^[[:alpha:]_][[:alnum:]_]*$", axes[2])) {
      out[[axes[2]]] <- colnames(x)
    }
  }
  out <- lapply(out, clean)
  twice <- names(out)[vapply(out, anyDuplicated, 0L) > 0]
  if (length(twice) > 0) refuse(3, "two levels of ", twice[1], " differ by spaces alone")
  out
}

# clean is how levels stand in a file of names, one a line.
clean <- function(words) {
  words <- trimws(gsub("[[:cntrl:]]+", " ", enc2utf8(words)))
  ifelse(nzchar(words), words, "(empty)")
}

# numbers_of is a value as numbers: words by their levels, dates in days since 1970-01-01.
numbers_of <- function(x, name, input, levels) {
  if (is_words(x)) return(codes(x, name, input, levels))
  if (inherits(x, "POSIXt")) return(as.numeric(as.POSIXct(x)) / 86400)
  if (inherits(x, "Date")) return(as.numeric(x))
  if (inherits(x, "difftime")) return(as.numeric(x, units = "days"))
  if (inherits(x, "integer64")) return(as.double(x))
  if (is.data.frame(x)) x <- as.matrix(x)
  if (inherits(x, "Matrix")) x <- as.matrix(x)
  if (is.list(x)) return(lapply(x, numbers_of, name, input, levels))
  if (!is.numeric(x) && !is.logical(x)) {
    refuse(
      3, name, " is of class ", class(x)[1],
      "; numbers, truth values, factors or dates are expected"
    )
  }
  x
}

codes <- function(x, name, input, levels) {
  if (is.null(input$index)) {
    refuse(
      3, name, " has words, and the model declares it ", input$type,
      "; words are for index[...]"
    )
  }
  words <- clean(as.character(x))
  words[is.na(x)] <- NA
  code <- match(words, levels[[input$index]])
  new <- unique(words[is.na(code) & !is.na(words)])
  if (length(new) > 0) {
    refuse(
      3, name, " has levels that the run has not seen: ",
      paste(utils::head(new, 5), collapse = ", ")
    )
  }
  array(as.integer(code - 1L + input$from), dim = dim(x) %||% length(x))
}

`%||%` <- function(a, b) if (is.null(a)) b else a

# write_input writes an input, and returns its specification.
write_input <- function(x, name, input, directory) {
  if (is.list(x)) {
    path <- file.path(directory, paste0(name, ".json"))
    file <- file(path, "wb")
    on.exit(close(file))
    writeLines(paste0("{\"", name, "\": ", json(x), "}"), file, useBytes = TRUE)
    return(paste0(name, "=", path))
  }
  path <- file.path(directory, paste0(name, ".npy"))
  single <- length(input$shape) == 0 && length(x) == 1
  write_npy(path, x, if (single) integer() else dim(x) %||% length(x))
  paste0(name, "=", path)
}

# write_names writes the entries of dims, one a line.
write_names <- function(levels, known, directory) {
  new <- setdiff(names(levels), names(known))
  unlist(lapply(new, function(dim) {
    path <- file.path(directory, paste0(dim, ".names"))
    file <- file(path, "wb")
    on.exit(close(file))
    writeLines(levels[[dim]], file, useBytes = TRUE)
    paste0(dim, "=", path)
  }))
}
