//go:build slow

package codegen_test

const (
	indexModels = 40
	indexWorlds = 40
)
