package main

// Commands of the contract that this version does not have. They refuse, and
// say what can be done instead.

type reportCmd struct {
	Args []string `arg:"" optional:"" passthrough:"" help:"Not in this version."`
}

func (reportCmd) Run(*env) error {
	return usage("this version does not have `sgppl report`; `sgppl summary` prints the numbers, `sgppl export` writes the draws")
}
