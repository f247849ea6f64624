package tall

import "context"

type phaseKey struct{}

// WithPhases returns a context through which Prepare reports each phase that it begins, in words.
func WithPhases(ctx context.Context, say func(words string)) context.Context {
	return context.WithValue(ctx, phaseKey{}, say)
}

func phase(ctx context.Context, words string) {
	if say, ok := ctx.Value(phaseKey{}).(func(string)); ok {
		say(words)
	}
}
