//go:build slow

package codegen_test

const (
	indexModels = 60
	indexWorlds = 60
)
