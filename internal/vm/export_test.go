package vm

// OverStrips makes all loops of the functions run over strips.
func (c *Code) OverStrips() { c.strips = true }
