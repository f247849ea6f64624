package predict

import (
	"bufio"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// write writes the description.
func (s *means) write(e *session.Session, out, format string) error {
	if format == "csv" {
		return session.FilesError(trace.WriteStream(out, s.csv))
	}
	return session.FilesError(e.Stream(out, s.json))
}

// csv has a line an entry. Columns of classes are there when a name has them.
func (s *means) csv(b *bufio.Writer) error {
	most, numbers := 0, false
	for _, x := range s.sites {
		most, numbers = max(most, x.Classes), numbers || x.Classes == 0
	}
	labels := slices.ContainsFunc(s.labels, func(l [][]string) bool { return l != nil })
	named := slices.ContainsFunc(s.named, func(l []string) bool { return l != nil })
	b.WriteString("name")
	if labels {
		b.WriteString(",label")
	}
	if numbers {
		b.WriteString(",mean,sd,q5,q50,q95")
	}
	if most > 0 {
		b.WriteString(",class")
	}
	if named {
		b.WriteString(",class_name")
	}
	for c := range most {
		b.WriteString(",p" + strconv.Itoa(c))
	}
	col := make([]float64, s.n)
	for k := range s.sites {
		x := &s.sites[k]
		for i, name := range session.EntryNames(x) {
			b.WriteByte('\n')
			session.WriteQuoted(b, name, len(x.Shape) > 0)
			if labels {
				b.WriteByte(',')
				writeText(b, session.EntryName(x.Shape, s.labels[k], i))
			}
			v := s.entry(k, i, col)
			cells := []float64{v.mean, v.sd, v.q5, v.q50, v.q95}
			if x.Classes > 0 {
				cells = slices.Concat([]float64{v.class}, v.chances)
				if numbers {
					b.WriteString(",,,,,")
				}
			}
			for j, c := range cells {
				b.Write(trace.AppendNumber(append(b.AvailableBuffer(), ','), c))
				if x.Classes > 0 && j == 0 && named {
					b.WriteByte(',')
					writeText(b, className(s.named[k], v.class-float64(x.From)))
				}
			}
			if x.Classes == 0 && named {
				b.WriteByte(',')
			}
			for n := len(cells); x.Classes > 0 && n < most+1; n++ {
				b.WriteByte(',')
			}
			for n := 0; x.Classes == 0 && most > 0 && n < most+1; n++ {
				b.WriteByte(',')
			}
		}
	}
	return session.WriteError(b.WriteByte('\n'))
}

// className is the name of a class, counted from 0; "" where it has none.
func className(names []string, class float64) string {
	if !(class >= 0 && class < float64(len(names))) {
		return ""
	}
	return names[int(class)]
}

// writeText writes a cell of text, in quotes where it needs them.
func writeText(b *bufio.Writer, text string) {
	if strings.ContainsAny(text, "\",\r\n") {
		text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	b.WriteString(text)
}

// json has for every name an object of arrays in the name's shape; classes are
// the names of the classes, labels for every axis those of its entries, or null.
func (s *means) json(b *bufio.Writer) error {
	col := make([]float64, s.n)
	for k := range s.sites {
		x := &s.sites[k]
		start := ",\n  "
		if k == 0 {
			start = "{\n  "
		}
		b.WriteString(start + strconv.Quote(x.Name) + ": {")
		var columns [5][]float64
		var class, chances []float64
		for i := range x.Len {
			v := s.entry(k, i, col)
			for j, n := range []float64{v.mean, v.sd, v.q5, v.q50, v.q95} {
				columns[j] = append(columns[j], n)
			}
			class, chances = append(class, v.class), append(chances, v.chances...)
		}
		if x.Classes > 0 {
			b.WriteString("\n    \"class\": ")
			driver.WriteNested(b, class, x.Shape, true)
			b.WriteString(",\n    \"p\": ")
			driver.WriteNested(b, chances, append(slices.Clone(x.Shape), x.Classes), false)
		} else {
			for j, name := range []string{"mean", "sd", "q5", "q50", "q95"} {
				if j > 0 {
					b.WriteByte(',')
				}
				b.WriteString("\n    " + strconv.Quote(name) + ": ")
				driver.WriteNested(b, columns[j], x.Shape, false)
			}
		}
		for _, l := range []struct {
			key   string
			value any
			some  bool
		}{{"classes", s.named[k], s.named[k] != nil}, {"labels", s.labels[k], s.labels[k] != nil}} {
			if l.some {
				text, err := json.Marshal(l.value)
				if err != nil {
					return err
				}
				b.WriteString(",\n    " + strconv.Quote(l.key) + ": ")
				b.Write(text)
			}
		}
		b.WriteString("\n  }")
	}
	_, err := b.WriteString("\n}\n")
	return session.WriteError(err)
}
