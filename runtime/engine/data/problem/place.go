package problem

import "strconv"

// place writes file:line:column, leaving out what is unknown.
func place(file string, line, column int) string {
	if line > 0 {
		file += ":" + strconv.Itoa(line)
		if column > 0 {
			file += ":" + strconv.Itoa(column)
		}
	}
	return file
}
