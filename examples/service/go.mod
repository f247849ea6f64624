module github.com/sgppl/sgppl/examples/service

go 1.26.0

require github.com/sgppl/sgppl v0.0.0

replace github.com/sgppl/sgppl => ../..
