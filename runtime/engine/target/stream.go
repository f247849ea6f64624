package target

// Pages lists the rows that a chain needs over time: it takes its minibatches from one page after
// the other.
type Pages interface {
	// Of is the page of batch k.
	Of(k int64) int64
	// Page says what a page has: rows that are left of the page before, and
	// blocks of rows.
	Page(page int64) (left, blocks []int)
}

// A Stream is a target whose rows are read as they are needed.
type Stream interface {
	Target
	// Streams reports whether it is one, and if so how many rows a block has and how many blocks a
	// page. All its evaluators are then StreamEvaluators.
	Streams() (block, window int, is bool)
}

// A StreamEvaluator evaluates minibatches of rows that are in memory: those of
// one page. Before its first page, a call for all rows is for those of the
// first block alone.
type StreamEvaluator interface {
	Evaluator
	// Follow gives the pages of the chain, of the first so many rows; the last page
	// that it will need is numbered last. They are the evaluator's own.
	Follow(p Pages, rows int, last int64)
	// Turn waits until a page is there, and has the next ones read meanwhile.
	// After an error the evaluator still has the page that it had.
	Turn(page int64) error
	// Grow looks for rows that were appended, and tells how many there are now.
	Grow() (rows int, err error)
}

// StreamOf is the layout of the rows of a target that reads them as they are
// needed.
func StreamOf(t Target) (block, window int, is bool) {
	if s, ok := t.(Stream); ok {
		return s.Streams()
	}
	return 0, 0, false
}

// A Folder is a Stream that may have full passes nevertheless: where these read sums over
// rows, and no row besides.
type Folder interface {
	Stream
	// Folds reports whether it has.
	Folds() bool
	// Fold computes the sums, if they are not there yet. It reads all rows, once.
	Fold() error
}

// FullPasses reports whether a target can evaluate all rows together. Every target can, except for
// streams that are not a Folder.
func FullPasses(t Target) bool {
	if _, _, streams := StreamOf(t); !streams {
		return true
	}
	f, ok := t.(Folder)
	return ok && f.Folds()
}

// Fold has a target compute what its full passes read, where these are of rows that are
// not in memory.
func Fold(t Target) error {
	if _, _, streams := StreamOf(t); !streams {
		return nil
	}
	return t.(Folder).Fold()
}

// A RowHolder is an evaluator of a Stream that reads any of the rows.
type RowHolder interface {
	Evaluator
	// Hold reads rows, which are sorted and listed once each, and has them in memory in
	// place of all others: calls may list these, and no others, until the next Hold. After
	// an error it still has those that it had. Of a target whose rows are all in memory it
	// does nothing.
	Hold(rows []int) error
}

// A Parted is a Stream of which some rows can be had as a target in memory.
type Parted interface {
	Stream
	// Part is the target of rows, which are sorted and listed once each: they are its rows
	// 0, 1, …; nothing else differs, Rows neither.
	Part(rows []int) (Target, error)
}
