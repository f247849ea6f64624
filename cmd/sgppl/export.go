package main

type exportCmd struct{}

func (c *exportCmd) Run(*env) error { return usage("export is not in this build") }
