package data

import "fmt"

// perInput is how many mistakes of one input are spelled out.
const perInput = 5

// mistakes collects the first few errors of a field and counts the rest.
type mistakes struct {
	errs  []*Error
	count int
}

func (m *mistakes) add(e func() *Error) {
	if m.count++; m.count <= perInput {
		m.errs = append(m.errs, e())
	}
}

// done returns the errors, the last with the count of what is not shown.
func (m *mistakes) done(what string) []*Error {
	if more := m.count - len(m.errs); more > 0 {
		last := m.errs[len(m.errs)-1]
		last.Notes = append(last.Notes, fmt.Sprintf("%d more such %s", more, what))
	}
	return m.errs
}

// join appends mistakes.
func (m *mistakes) join(o *mistakes) {
	for _, e := range o.errs {
		if len(m.errs) < perInput {
			m.errs = append(m.errs, e)
		}
	}
	m.count += o.count
}
