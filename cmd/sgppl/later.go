package main

// Commands of the contract that this version does not have. They refuse, and
// say what can be done instead.

type optimizeCmd struct {
	Args []string `arg:"" optional:"" passthrough:"" help:"Not in this version."`
}

func (optimizeCmd) Run(*env) error {
	return usage("this version has no optimisers; `sgppl sample --temperature 0.01` comes near the mode")
}

type reportCmd struct {
	Args []string `arg:"" optional:"" passthrough:"" help:"Not in this version."`
}

func (reportCmd) Run(*env) error {
	return usage("this version does not have `sgppl report`; `sgppl summary` prints the numbers, `sgppl export` writes the draws")
}
