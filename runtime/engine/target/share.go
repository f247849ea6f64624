package target

import "github.com/sgppl/sgppl/runtime/base/team"

// A Sharer is an evaluator that can share its work among the members of a team. Its results do not
// depend on the team.
type Sharer interface {
	// Share sets the team; nil: there is none. The team must be open while the evaluator is used.
	Share(t *team.Team)
}

// Share sets the team of an evaluator, if it can have one.
func Share(e Evaluator, t *team.Team) {
	if s, ok := e.(Sharer); ok {
		s.Share(t)
	}
}
