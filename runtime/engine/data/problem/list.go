package problem

import "fmt"

// PerInput is how many mistakes of one input are spelled out.
const PerInput = 5

// A List collects the first few errors of a field and counts the rest.
type List struct {
	Errs  []*Error
	Count int
}

// Add counts an error, and makes it while there are few.
func (m *List) Add(e func() *Error) {
	if m.Count++; m.Count <= PerInput {
		m.Errs = append(m.Errs, e())
	}
}

// Done returns the errors, the last with the count of what is not shown.
func (m *List) Done(what string) []*Error {
	if more := m.Count - len(m.Errs); more > 0 {
		last := m.Errs[len(m.Errs)-1]
		last.Notes = append(last.Notes, fmt.Sprintf("%d more such %s", more, what))
	}
	return m.Errs
}

// Join appends the errors of another list.
func (m *List) Join(o *List) {
	for _, e := range o.Errs {
		if len(m.Errs) < PerInput {
			m.Errs = append(m.Errs, e)
		}
	}
	m.Count += o.Count
}
