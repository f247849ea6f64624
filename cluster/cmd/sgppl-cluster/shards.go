package main

import (
	"encoding/json"
	"fmt"

	"github.com/sgppl/sgppl/runtime/base/memory"
)

type shardsCmd struct {
	Data      []string `sep:"none" required:"" placeholder:"SPEC" help:"Rows, as for sample. May be repeated."`
	ShardSize string   `default:"64M" placeholder:"SIZE" help:"About how much text a shard has (default ${default})."`
	Split     []string `placeholder:"SHARD[/N]" help:"Cut this shard into N pieces (default 2). May be repeated."`
	JSON      bool     `name:"json" help:"Print the manifest as JSON."`
}

// Run prints the shards.
func (c *shardsCmd) Run(w *world) error {
	p := plan{Data: c.Data, ShardSize: c.ShardSize, Split: c.Split}
	m, err := p.cut(w)
	if err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(w.stdout).Encode(m)
	}
	for i, s := range m.Shards {
		fmt.Fprintf(w.stdout, "%6d  %8s  %v\n", i, memory.Text(float64(s.Size)), s)
	}
	_, err = fmt.Fprintf(w.stdout, "%d shards, %s, manifest %s\n", len(m.Shards),
		memory.Text(float64(m.Bytes())),
		m.Identity())
	return err
}
