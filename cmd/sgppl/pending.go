package main

// Commands whose own files replace the line here.

type (
	checkCmd    struct{}
	fmtCmd      struct{}
	compileCmd  struct{}
	simulateCmd struct{}
	docCmd      struct{}
	explainCmd  struct{}
)

func (checkCmd) Run(*env) error    { return usage("check is not in this build") }
func (fmtCmd) Run(*env) error      { return usage("fmt is not in this build") }
func (compileCmd) Run(*env) error  { return usage("compile is not in this build") }
func (simulateCmd) Run(*env) error { return usage("simulate is not in this build") }
func (docCmd) Run(*env) error      { return usage("doc is not in this build") }
func (explainCmd) Run(*env) error  { return usage("explain is not in this build") }
