# Releases of the command.

installed_command <- function() {
  program <- if (.Platform$OS.type == "windows") "sgppl.exe" else "sgppl"
  file.path(tools::R_user_dir("sgppl", "data"), program)
}

sgppl_install <- function(version, url = getOption("sgppl.url"), path = installed_command()) {
  if (is.null(url)) url <- "https://github.com/sgppl/sgppl/releases/download"
  version <- sub("^v", "", version)
  base <- paste0(sub("/$", "", url), "/v", version, "/")
  name <- archive_name(version)
  work <- tempfile("sgppl-install-")
  dir.create(work)
  on.exit(unlink(work, recursive = TRUE))
  archive <- file.path(work, name)
  sums <- file.path(work, "checksums.txt")
  fetch(paste0(base, "checksums.txt"), sums)
  fetch(paste0(base, name), archive)
  lines <- strsplit(trimws(readLines(sums)), " +")
  expected <- vapply(Filter(function(l) l[2] == name, lines), `[[`, "", 1)
  if (length(expected) != 1) refuse(5, "checksums.txt of ", version, " does not have ", name)
  found <- digest::digest(archive, algo = "sha256", file = TRUE)
  if (!identical(tolower(expected), found)) {
    refuse(5, name, " has the check sum ", found, " and not ", expected, "; it is not installed")
  }
  inside <- basename(installed_command())
  if (endsWith(name, ".zip")) {
    utils::unzip(archive, files = inside, exdir = work)
  } else {
    utils::untar(archive, files = inside, exdir = work)
  }
  new <- file.path(work, inside)
  if (!file.exists(new)) refuse(5, name, " has no file ", inside)
  dir.create(dirname(path), recursive = TRUE, showWarnings = FALSE)
  beside <- paste0(path, ".new")
  if (!file.copy(new, beside, overwrite = TRUE)) refuse(5, beside, " cannot be written")
  Sys.chmod(beside, "0755")
  if (!file.rename(beside, path)) refuse(5, path, " cannot be replaced")
  invisible(path)
}

# archive_name is that of a release for this machine.
archive_name <- function(version, about = Sys.info()) {
  os <- switch(about[["sysname"]],
    Linux = "linux", Darwin = "darwin", Windows = "windows",
    refuse(5, "there are no releases for ", about[["sysname"]], "; build sgppl from source")
  )
  arch <- switch(tolower(about[["machine"]]),
    x86_64 = , `x86-64` = , amd64 = "amd64", aarch64 = , arm64 = "arm64",
    refuse(5, "there are no releases for ", about[["machine"]], "; build sgppl from source")
  )
  paste0("sgppl_", version, "_", os, "_", arch, if (os == "windows") ".zip" else ".tar.gz")
}

fetch <- function(from, to) {
  status <- tryCatch(
    suppressWarnings(utils::download.file(from, to, mode = "wb", quiet = TRUE)),
    error = function(e) 1L
  )
  if (status != 0) refuse(5, from, " cannot be downloaded")
}
