library(testthat)
library(sgppl)

test_check("sgppl")
