# Without the command there is nothing to test, unless SGPPL_TESTS asks that there is.
need_command <- function() {
  if (!nzchar(Sys.getenv("SGPPL_TESTS"))) {
    skip_if(inherits(try(sgppl_command(), silent = TRUE), "try-error"), "sgppl is not installed")
  }
}

schools <- "
dim J
data y[J] : real
data sigma[J] : positive
param mu : real ~ normal(0, 5)
param tau : positive ~ cauchy(0, 5)
param eta[J] : real ~ normal(0, 1)
track theta = mu + tau * eta
for j in J { y[j] ~ normal(theta[j], sigma[j]) }
"

eight <- data.frame(
  y = c(28, 8, -3, 7, -1, 1, 18, 12), sigma = c(15, 10, 16, 11, 9, 11, 10, 18)
)

# eight_fit is a run that tests share.
shared <- new.env()
eight_fit <- function() {
  need_command()
  if (is.null(shared$fit)) {
    shared$fit <- sgppl_model(schools)$sample(eight, engine = "vm", seed = 1, chains = 4)
  }
  shared$fit
}

groups <- "
dim N, G
data school[N] : index[G]
data y[N] : real?
param a[G] : real ~ normal(0, 10)
param s : positive ~ exponential(1)
for n in N { y[n] ~ normal(a[school[n]], s) }
"

status_of <- function(expr) {
  tryCatch(
    {
      expr
      0
    },
    sgppl_error = function(e) e$status
  )
}
