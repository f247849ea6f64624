package trace

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Label sets the names of the entries along the axes of v. names has them by the name of the axis.
// An axis gets no names if their number differs from its length.
func (v *Variable) Label(names map[string][]string) {
	for i, n := range v.Shape {
		if i >= len(v.Dims) {
			return
		}
		if list := names[v.Dims[i]]; len(list) > 0 && len(list) == n {
			if v.Labels == nil {
				v.Labels = make([][]string, len(v.Shape))
			}
			v.Labels[i] = list
		}
	}
}

// text is the element type of strings of at most n code points: NumPy's arrays
// of UTF-32, padded with zeros.
func text(n int) DType { return DType("<U" + strconv.Itoa(max(n, 1))) }

// width is the number of code points of an element of text; 0 of other types.
func (t DType) width() int {
	digits, is := strings.CutPrefix(string(t), "<U")
	if !is {
		return 0
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > 1<<20 {
		return 0
	}
	return n
}

// addLabels writes the names of an axis as its coordinate.
func (s *Store) addLabels(group, name string, labels []string) error {
	array := group + "/" + name
	if _, ok := s.meta[array+"/.zattrs"]; ok {
		return nil
	}
	widest := 1
	for _, l := range labels {
		widest = max(widest, utf8.RuneCountInString(l))
	}
	s.meta[array+"/.zarray"] = newArrayMeta([]int{len(labels)}, []int{max(len(labels), 1)},
		text(widest), "")
	s.meta[array+"/.zattrs"] = map[string]any{"_ARRAY_DIMENSIONS": []string{name}}
	if err := s.mkdir(array); err != nil {
		return err
	}
	b := make([]byte, 4*widest*len(labels))
	for i, l := range labels {
		at := 4 * widest * i
		for _, r := range l {
			binary.LittleEndian.PutUint32(b[at:], uint32(r))
			at += 4
		}
	}
	return s.share(piece{path: array + "/0", data: b})
}

// Labels are the names of the entries of an axis of a group, as its coordinate
// has them; nil where it counts 0, 1, ….
func (s *Store) Labels(group, axis string) ([]string, error) {
	array := group + "/" + axis
	m, ok := s.meta[array+"/.zarray"].(arrayMeta)
	if !ok || m.DType.width() == 0 || len(m.Shape) != 1 || m.Chunks[0] < m.Shape[0] {
		return nil, nil
	}
	size := 4 * m.DType.width()
	b, err := s.readFile(s.shared, array+"/0", size*m.Chunks[0])
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	out := make([]string, m.Shape[0])
	for i := range out {
		var l strings.Builder
		for at := i * size; at < (i+1)*size; at += 4 {
			r := binary.LittleEndian.Uint32(b[at:])
			if r == 0 {
				break
			}
			l.WriteRune(rune(r))
		}
		out[i] = l.String()
	}
	return out, nil
}
