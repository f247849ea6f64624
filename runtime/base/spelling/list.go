package spelling

import (
	"fmt"
	"strings"
)

// List joins words as a sentence has them, "a, b and c", and of many the first four and the
// number of the others.
func List(x []string) string {
	const most = 4
	if len(x) > most+1 {
		return fmt.Sprintf("%s and %d more", strings.Join(x[:most], ", "), len(x)-most)
	}
	if len(x) < 2 {
		return strings.Join(x, "")
	}
	return strings.Join(x[:len(x)-1], ", ") + " and " + x[len(x)-1]
}
