package formula

import "math"

// Complete returns the rows of a table in which no column that a formula names has a missing
// entry, and how many others there are.
func (f *Formula) Complete(t *Table) (*Table, int) {
	named := map[string]bool{}
	var walk func(n *Node)
	walk = func(n *Node) {
		if n == nil {
			return
		}
		named[n.Text] = named[n.Text] || n.Kind == 'n'
		for _, a := range n.Args {
			walk(a)
		}
		for _, a := range n.Named {
			walk(a)
		}
	}
	walk(f.Response)
	walk(f.Terms)
	for _, n := range f.Addition {
		walk(n)
	}
	rows := 0
	for _, c := range t.Columns {
		rows = max(rows, len(c.Values))
	}
	gone := make([]bool, rows)
	for _, c := range t.Columns {
		for i, v := range c.Values {
			gone[i] = gone[i] || named[c.Name] && math.IsNaN(v)
		}
	}
	out, count := &Table{File: t.File}, 0
	for _, is := range gone {
		if is {
			count++
		}
	}
	for _, c := range t.Columns {
		all := c.Values
		c.Values = nil
		for i, v := range all {
			if !gone[i] {
				c.Values = append(c.Values, v)
			}
		}
		out.Columns = append(out.Columns, c)
	}
	return out, count
}
