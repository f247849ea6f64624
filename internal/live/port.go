package live

import (
	"fmt"
	"strconv"
)

// Port is the value of --serve: whether there is a page, and its port, 0 for a free one.
type Port struct {
	On     bool
	Number int
}

// Decode implements commandline.Decoder.
func (p *Port) Decode(text string, given bool) error {
	p.On = true
	switch {
	case !given, text == "true":
		return nil
	case text == "false":
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
