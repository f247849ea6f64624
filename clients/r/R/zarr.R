# Stores of draws: Zarr, version 2, without compression, as the command writes them.

read_metadata <- function(store) {
  jsonlite::fromJSON(file.path(store, ".zmetadata"), simplifyVector = FALSE)$metadata
}

# store_variables are the arrays of a group that have an entry for each chain and draw, in the
# order of the model.
store_variables <- function(meta, group) {
  keys <- grep(paste0("^", group, "/[^/]+/\\.zattrs$"), names(meta), value = TRUE)
  dims <- lapply(meta[keys], function(a) as.character(unlist(a$`_ARRAY_DIMENSIONS`)))
  order <- vapply(meta[keys], function(a) as.numeric(a$sgppl_order %||% Inf), 0)
  is <- vapply(dims, function(d) identical(d[1:2], c("chain", "draw")), NA)
  keys <- keys[is][order(order[is])]
  out <- lapply(dims[keys], function(d) d[-(1:2)])
  names(out) <- vapply(strsplit(keys, "/", fixed = TRUE), `[[`, "", 2)
  out
}

# reader returns a function that reads n numbers of a file.
reader <- function(type) {
  binary <- function(what, size) {
    function(path, n) {
      x <- readBin(path, what, n, size = size, endian = "little")
      if (length(x) != n) refuse(5, path, " has ", length(x), " values and not ", n)
      x
    }
  }
  switch(type,
    "<f8" = binary("double", 8),
    "<f4" = binary("double", 4),
    "<i8" = binary("integer", 8),
    "|b1" = binary("integer", 1),
    refuse(5, "a store has values of type ", type, ", which this client does not read")
  )
}

# read_group reads the numbers of a group as an array of draws, chains and variables; NULL
# where there is no such group. labels are names of the entries of dims. The attribute
# positions has the variables' names without them.
read_group <- function(store, group, labels = list()) {
  meta <- read_metadata(store)
  variables <- store_variables(meta, group)
  if (length(variables) == 0) return(NULL)
  about <- lapply(names(variables), function(name) {
    a <- meta[[paste0(group, "/", name, "/.zarray")]]
    list(path = file.path(store, group, name), type = a$dtype,
         shape = as.integer(unlist(a$shape)), chunk = as.integer(unlist(a$chunks)))
  })
  named <- function(labels) {
    unlist(Map(function(name, a, dims) entries(name, a$shape[-(1:2)], dims, labels),
               names(variables), about, variables), use.names = FALSE)
  }
  names <- named(labels)
  size <- about[[1]]$shape[2:1]
  x <- array(NaN, c(size, length(names)), list(NULL, NULL, names))
  at <- 0
  for (a in about) {
    if (!identical(a$chunk[-(1:2)], a$shape[-(1:2)]) || a$chunk[1] != 1) {
      refuse(5, a$path, " is cut in a way that this client does not read")
    }
    read <- reader(a$type)
    n <- prod(a$shape[-(1:2)])
    columns <- at + seq_len(n)
    at <- at + n
    for (chain in seq_len(size[2])) {
      for (first in seq(0, by = a$chunk[2], length.out = ceiling(size[1] / a$chunk[2]))) {
        dots <- strrep(".0", length(a$shape) - 2)
        path <- file.path(a$path, sprintf("%d.%.0f%s", chain - 1L, first / a$chunk[2], dots))
        if (n == 0 || !file.exists(path)) next # a chunk without a file is missing
        draws <- first + seq_len(min(a$chunk[2], size[1] - first))
        # In a file the entries of a draw stand side by side.
        part <- matrix(read(path, n * a$chunk[2]), ncol = n, byrow = TRUE)
        x[draws, chain, columns] <- part[seq_along(draws), ]
      }
    }
  }
  structure(x, positions = named(list()))
}

# entries are the names of the entries of a variable, counted from 0 as the command does.
entries <- function(name, shape, dims, labels) {
  if (length(shape) == 0) return(name)
  if (prod(shape) == 0) return(character())
  axes <- Map(function(n, dim) {
    if (length(labels[[dim]]) == n) labels[[dim]] else as.character(seq_len(n) - 1L)
  }, shape, dims)
  grid <- expand.grid(rev(unname(axes)), stringsAsFactors = FALSE)
  paste0(name, "[", do.call(paste, c(unname(rev(grid)), sep = ",")), "]")
}
