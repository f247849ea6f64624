module github.com/sgppl/sgppl/cuda

go 1.26.0

require (
	github.com/ebitengine/purego v0.11.3
	github.com/sgppl/sgppl v0.0.0-00010101000000-000000000000
)

replace github.com/sgppl/sgppl => ../
