package serving

import "github.com/sgppl/sgppl/runtime/engine/target"

// methods are what can be asked of a bound model.
var methods = map[string]func(*bound, *params) (any, error){
	"log_density": logDensity,
	"gradient":    gradient,
	"constrain":   constrain,
	"unconstrain": unconstrain,
	"log_lik":     logLik,
	"close":       nil, // the server's
}

// A Variable is a param or a tracked value: where it stands in the values, and its shape.
type Variable struct {
	Name    string   `json:"name"`
	Doc     string   `json:"doc,omitempty"`
	Dims    []string `json:"dims"`
	Shape   []int    `json:"shape"`
	Tracked bool     `json:"tracked"`
}

// A Block is a param's part of the state.
type Block struct {
	Name     string `json:"name"`
	Offset   int    `json:"offset"`
	Length   int    `json:"length"`
	Geometry string `json:"geometry"`
}

// A Model says what bind has bound.
type Model struct {
	Model     int        `json:"model"`
	Name      string     `json:"name"`
	Dim       int        `json:"dim"`
	Rows      int        `json:"rows"`
	RowAxis   string     `json:"row_axis"`
	Blocks    []Block    `json:"blocks"`
	Variables []Variable `json:"variables"`
}

// open binds a model.
func (s *server) open(source Source) (any, error) {
	t, err := s.bind(source)
	if err != nil {
		return nil, err
	}
	s.next++
	s.models[s.next] = &bound{t, t.NewEvaluator(max(1, t.Rows())), make([]float64, t.Dim()),
		make([]float64, t.OutputLen())}
	m := Model{Model: s.next, Name: t.Name(), Dim: t.Dim(), Rows: t.Rows(), RowAxis: t.RowAxis()}
	for _, b := range t.Blocks() {
		m.Blocks = append(m.Blocks, Block{b.Name, b.Offset, b.Len, b.Geometry.Kind})
	}
	for _, o := range t.Outputs() {
		m.Variables = append(m.Variables, Variable{o.Name, o.Doc, append([]string{}, o.Dims...),
			append([]int{}, o.Shape...), o.Track})
	}
	return m, nil
}

// at checks the state and the rows of a request.
func (b *bound) at(p *params) (jacobian, scale float64, err error) {
	if len(p.X) != b.Dim() {
		return 0, 0, invalid("x has %d numbers; the state of %s has %d", len(p.X), b.Name(), b.Dim())
	}
	for _, n := range p.Rows {
		if n < 0 || n >= b.Rows() {
			return 0, 0, invalid("rows has %d; %s has rows 0 to %d", n, b.Name(), b.Rows()-1)
		}
	}
	jacobian, scale = 1, 1
	if p.Jacobian != nil && !*p.Jacobian {
		jacobian = 0
	}
	if p.Scale != nil {
		scale = *p.Scale
	}
	return jacobian, scale, nil
}

func logDensity(b *bound, p *params) (any, error) {
	jacobian, scale, err := b.at(p)
	if err != nil {
		return nil, err
	}
	return number(b.eval.LogDensity(p.X, p.Rows, scale, jacobian)), nil
}

// An evaluation is a log density with its gradient.
type evaluation struct {
	LogDensity number   `json:"log_density"`
	Gradient   []number `json:"gradient"`
}

func gradient(b *bound, p *params) (any, error) {
	jacobian, scale, err := b.at(p)
	if err != nil {
		return nil, err
	}
	value := b.eval.LogDensityGradient(p.X, p.Rows, scale, jacobian, b.grad)
	return evaluation{number(value), numbers(b.grad)}, nil
}

func constrain(b *bound, p *params) (any, error) {
	if _, _, err := b.at(p); err != nil {
		return nil, err
	}
	b.eval.Constrain(p.X, b.out)
	values := map[string][]number{}
	for _, o := range b.Outputs() {
		values[o.Name] = numbers(b.out[o.Offset : o.Offset+o.Len])
	}
	return values, nil
}

func unconstrain(b *bound, p *params) (any, error) {
	clear(b.out)
	for _, o := range b.Outputs() {
		given, is := p.Values[o.Name]
		switch {
		case o.Track:
			continue
		case !is:
			return nil, invalid("values lacks %s", o.Name)
		case len(given) != o.Len:
			return nil, invalid("%s has %d numbers, and takes %d: shape %v", o.Name, len(given), o.Len,
				o.Shape)
		}
		copy(b.out[o.Offset:], given)
	}
	for name := range p.Values {
		if !has(b.Outputs(), name) {
			return nil, invalid("%s has no %s", b.Name(), name)
		}
	}
	x := make([]float64, b.Dim())
	if err := b.eval.Unconstrain(b.out, x); err != nil {
		return nil, invalid("%v", err)
	}
	return numbers(x), nil
}

func has(list []target.Output, name string) bool {
	for _, o := range list {
		if o.Name == name {
			return true
		}
	}
	return false
}

func logLik(b *bound, p *params) (any, error) {
	if _, _, err := b.at(p); err != nil {
		return nil, err
	}
	if b.Rows() == 0 {
		return nil, invalid("%s has no rows", b.Name())
	}
	n := len(p.Rows)
	if p.Rows == nil {
		n = b.Rows()
	}
	out := make([]float64, n)
	b.eval.LogLik(p.X, p.Rows, out)
	return numbers(out), nil
}
