package main

// Commands whose own files replace the line here.

type (
	simulateCmd struct{}
)

func (simulateCmd) Run(*env) error { return usage("simulate is not in this build") }
