package live

import (
	"fmt"
	"strconv"

	"github.com/alecthomas/kong"
)

// Port is the value of --serve: whether there is a page, and its port, 0 for a free one.
type Port struct {
	On     bool
	Number int
}

// IsBool implements kong.BoolMapperValue: the value may be left away.
func (p *Port) IsBool() bool { return true }

// Decode implements kong.MapperValue.
func (p *Port) Decode(ctx *kong.DecodeContext) error {
	p.On = true
	if ctx.Scan.Peek().Type != kong.FlagValueToken {
		return nil
	}
	text := fmt.Sprint(ctx.Scan.Pop().Value)
	switch text {
	case "true":
		return nil
	case "false":
		p.On = false
		return nil
	}
	port, err := strconv.Atoi(text)
	if err != nil || port < 0 || port > 65535 {
		return fmt.Errorf("%s: a port is expected, from 1 to 65535, or nothing", text)
	}
	p.Number = port
	return nil
}
