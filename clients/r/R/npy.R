# Arrays as files of NumPy, which the command reads to the bit.

# write_npy writes numbers or truth values. shape is integer(0) for a single number.
write_npy <- function(path, x, shape) {
  if (is.logical(x) && !anyNA(x)) {
    type <- "|b1"
    bytes <- as.raw(x)
  } else if (is.integer(x) && !anyNA(x)) {
    type <- "<i4"
    bytes <- as.vector(x)
  } else {
    type <- "<f8"
    bytes <- as.double(x)
  }
  sizes <- paste0(sprintf("%.0f,", shape), collapse = " ")
  head <- sprintf("{'descr': '%s', 'fortran_order': True, 'shape': (%s), }", type, sizes)
  pad <- (64 - (10 + nchar(head) + 1) %% 64) %% 64
  head <- paste0(head, strrep(" ", pad), "\n")
  file <- file(path, "wb")
  on.exit(close(file))
  writeBin(as.raw(c(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0)), file)
  writeBin(nchar(head), file, size = 2, endian = "little")
  writeBin(charToRaw(head), file)
  writeBin(bytes, file, endian = "little")
}

# json writes a list of vectors, such as rows of different lengths.
json <- function(x) {
  if (is.list(x)) return(paste0("[", paste(vapply(x, json, ""), collapse = ","), "]"))
  text <- exact(as.double(x))
  text[is.na(x)] <- "null"
  paste0("[", paste(text, collapse = ","), "]")
}
