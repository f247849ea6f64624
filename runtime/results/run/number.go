package run

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// A Float is a float64 that JSON represents by null if it is not finite. Reading null gives NaN.
type Float float64

// MarshalJSON implements json.Marshaler.
func (x Float) MarshalJSON() ([]byte, error) {
	if f := float64(x); f-f != 0 {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(x), 'g', -1, 64), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (x *Float) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*x = Float(math.NaN())
		return nil
	}
	return json.Unmarshal(b, (*float64)(x))
}

// Exact are float64s that JSON stores without loss. NaN and infinities are the strings "NaN", "Inf"
// and "-Inf".
type Exact []float64

// MarshalJSON implements json.Marshaler.
func (x Exact) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, f := range x {
		if i > 0 {
			b = append(b, ',')
		}
		switch {
		case f-f == 0:
			b = strconv.AppendFloat(b, f, 'g', -1, 64)
		case math.IsNaN(f):
			b = append(b, `"NaN"`...)
		case f > 0:
			b = append(b, `"Inf"`...)
		default:
			b = append(b, `"-Inf"`...)
		}
	}
	return append(b, ']'), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (x *Exact) UnmarshalJSON(b []byte) error {
	var raw []any
	if err := json.Unmarshal(b, &raw); err != nil {
		return err
	}
	*x = make(Exact, len(raw))
	for i, v := range raw {
		switch v := v.(type) {
		case float64:
			(*x)[i] = v
		case string:
			switch v {
			case "NaN":
				(*x)[i] = math.NaN()
			case "Inf":
				(*x)[i] = math.Inf(1)
			case "-Inf":
				(*x)[i] = math.Inf(-1)
			default:
				return fmt.Errorf("%q is no number", v)
			}
		default:
			return fmt.Errorf("%v is no number", v)
		}
	}
	return nil
}
