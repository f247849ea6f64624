package pass

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
)

// numbers are doubles whose JSON is their bytes, little-endian, in base64: short, and the same
// numbers to the bit.
type numbers []float64

// MarshalJSON implements json.Marshaler.
func (x numbers) MarshalJSON() ([]byte, error) {
	b := make([]byte, 0, 8*len(x))
	for _, v := range x {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return json.Marshal(base64.StdEncoding.EncodeToString(b))
}

// UnmarshalJSON implements json.Unmarshaler.
func (x *numbers) UnmarshalJSON(text []byte) error {
	var b []byte
	if err := json.Unmarshal(text, &b); err != nil {
		return err
	}
	*x = nil
	for ; len(b) >= 8; b = b[8:] {
		*x = append(*x, math.Float64frombits(binary.LittleEndian.Uint64(b)))
	}
	return nil
}
