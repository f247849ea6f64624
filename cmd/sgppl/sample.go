package main

type sampleCmd struct {
	Model string `arg:"" help:"The model file, or - for standard input."`
}

func (c *sampleCmd) Run(*env) error { return usage("sample is not in this build") }
