package main

type scoreCmd struct{}

func (c *scoreCmd) Run(*env) error { return usage("score is not in this build") }
