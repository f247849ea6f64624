package main

import (
	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/internal/build"
	"github.com/sgppl/sgppl/internal/session"
)

type versionCmd struct {
	SBOM bool `name:"sbom" help:"Print the modules of this program as a bill of materials, CycloneDX 1.5 in JSON."`
}

func (c versionCmd) Run(e *session.Session) error {
	i := build.Read(sgppl.Version)
	if !c.SBOM {
		return e.Print("%s", i.String())
	}
	text, err := i.SBOM()
	if err != nil {
		return err
	}
	return e.Print("%s", text)
}
