package lower

import "github.com/sgppl/sgppl/lang/diag"

// Codes of what the language can say and this version cannot compile yet.
const (
	NotLowered         = diag.Code("E0701")
	TypeNotLowered     = diag.Code("E0703")
	NoDerivative       = diag.Code("E0704")
	LocalNotLowered    = diag.Code("E0705")
	RaggedNotLowered   = diag.Code("E0706")
	StrategyNotLowered = diag.Code("E0708")
	NoCDF              = diag.Code("E0710")
	SparseMadeDense    = diag.Code("E0711")
	CannotSimulate     = diag.Code("E0712")
	CannotLeaveOut     = diag.Code("E0714")
	TooLarge           = diag.Code("E0713")
	CheckFails         = diag.Code("E0610")
)
