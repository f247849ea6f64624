test_that("flags are written as the command reads them", {
  expect_identical(
    flags(list(
      target_accept = 0.5, save_warmup = TRUE, lp = FALSE, draws = 1e5, step = c(phi = 0.25)
    )),
    c("--target-accept=0.5", "--save-warmup", "--draws=100000", "--step=phi=0.25")
  )
  expect_identical(flags(list(keep = c("a", "b"))), c("--keep=a", "--keep=b"))
  expect_equal(status_of(flags(list(3))), 2)
})

test_that("the command is found by option, variable and PATH", {
  withr_like <- function(option, variable, expr) {
    old <- options(sgppl.command = option)
    was <- Sys.getenv("SGPPL", NA)
    on.exit({
      options(old)
      if (is.na(was)) Sys.unsetenv("SGPPL") else Sys.setenv(SGPPL = was)
    })
    Sys.setenv(SGPPL = variable)
    expr
  }
  shell <- unname(Sys.which("sh"))
  skip_if(!nzchar(shell))
  expect_identical(withr_like("sh", "nothing", sgppl_command()), shell)
  expect_identical(withr_like(NULL, "sh", sgppl_command()), shell)
  expect_error(withr_like(NULL, "/no/such/sgppl", sgppl_command()), "is not a program")
})

test_that("archives are named after the machine", {
  about <- function(os, machine) list(sysname = os, machine = machine)
  name <- function(os, machine) archive_name("1.2.3", about(os, machine))
  expect_identical(name("Linux", "x86_64"), "sgppl_1.2.3_linux_amd64.tar.gz")
  expect_identical(name("Darwin", "arm64"), "sgppl_1.2.3_darwin_arm64.tar.gz")
  expect_identical(name("Windows", "x86-64"), "sgppl_1.2.3_windows_amd64.zip")
  expect_error(archive_name("1.2.3", about("SunOS", "sun4v")), "build sgppl from source")
})

test_that("a release is installed if its check sum is right", {
  url <- Sys.getenv("SGPPL_TEST_RELEASES") # a server with 1.0.0, and 1.0.1 that was changed
  skip_if(!nzchar(url), "there is no server of releases")
  path <- file.path(tempfile(), "bin", "sgppl")
  expect_identical(sgppl_install("v1.0.0", url, path), path)
  expect_match(system2(path, "version", stdout = TRUE)[1], "^sgppl ")
  before <- tools::md5sum(path)
  wrong <- expect_error(
    sgppl_install("1.0.1", url, path), "is not installed", class = "sgppl_error"
  )
  expect_equal(wrong$status, 5)
  expect_identical(tools::md5sum(path), before)
  expect_error(sgppl_install("9.9.9", url, path), "cannot be downloaded")
  # It is found where nothing else is named.
  old <- Sys.getenv(c("PATH", "SGPPL", "R_USER_DATA_DIR"), names = TRUE)
  on.exit(do.call(Sys.setenv, as.list(old)))
  Sys.unsetenv("SGPPL")
  Sys.setenv(R_USER_DATA_DIR = tempfile(), PATH = "/usr/bin:/bin")
  expect_error(sgppl_command(), "sgppl_install\\(\\) gets a release")
  installed <- sgppl_install("1.0.0", url)
  expect_identical(sgppl_command(), installed)
})
