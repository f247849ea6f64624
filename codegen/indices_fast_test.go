//go:build !slow

package codegen_test

const (
	indexModels = 8
	indexWorlds = 24
)
