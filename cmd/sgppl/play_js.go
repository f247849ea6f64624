//go:build js || wasip1

package main

import "github.com/sgppl/sgppl/internal/session"

// Run refuses: a page cannot serve pages.
func (c *playCmd) Run(*session.Session) error {
	return session.Usagef("play needs an operating system that serves files and builds programs")
}
