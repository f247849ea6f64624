package main

type summaryCmd struct{}

func (c *summaryCmd) Run(*env) error { return usage("summary is not in this build") }
