package main

type playCmd struct {
	Port  int    `default:"0" placeholder:"PORT" help:"The port on 127.0.0.1; 0 takes one that is free."`
	Out   string `placeholder:"DIR" help:"Write the page to a directory instead, for any web server."`
	Force bool   `help:"Write into a directory that is not empty."`
}

func (c *playCmd) Help() string {
	return `A page with an editor, the compiler and the samplers nuts and msgnht, all of which run in the browser: data that you
drop into the page stay there. Its links carry the model, the settings, and data up to 32 kB. The first time, the go
command builds the page's engine.

  sgppl play
  sgppl play --out site`
}
