package codegen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/ir"
)

// formula writes what a value is in the names of the model, for comments; what
// would be too long is left out.
func formula(v *ir.Value) string {
	return clean(strings.Join(strings.Fields(formulaOf(v, 3, 0, true).text), " "))
}

// infix operators with Go's precedence.
var infix = map[*ir.Op]struct {
	sign string
	prec int
}{
	ir.OpAdd: {" + ", 4}, ir.OpSub: {" - ", 4}, ir.OpMul: {" * ", 5}, ir.OpMul0: {" * ", 5},
	ir.OpDiv: {" / ", 5},
	ir.OpLt:  {" < ", 3}, ir.OpLe: {" <= ", 3}, ir.OpGt: {" > ", 3}, ir.OpGe: {" >= ", 3},
	ir.OpEq: {" == ", 3}, ir.OpNe: {" != ", 3},
	ir.OpAnd: {" and ", 2}, ir.OpOr: {" or ", 1}, ir.OpContract: {" @ ", 5}, ir.OpPow: {"^", 6},
}

func formulaOf(v *ir.Value, depth, prec int, top bool) expr {
	if !top && v.Hint != "" {
		return primary("%s", v.Hint)
	}
	switch v.Op {
	case ir.OpConst:
		return primary("%s", strconv.FormatFloat(v.Num, 'g', 6, 64))
	case ir.OpState, ir.OpData, ir.OpLocal, ir.OpScalar:
		return primary("%s", v.Name)
	case ir.OpSize:
		if len(v.Over) > 0 {
			return primary("the number of rows")
		}
		return writePoly(v.Off, func(d string) string { return d })
	case ir.OpIota:
		return primary("%s", local(v.Axes[0].Name))
	}
	if depth == 0 {
		return primary("…")
	}
	arg := func(i, prec int) string { return formulaOf(v.Args[i], depth-1, prec, false).in(prec) }
	if op, ok := infix[v.Op]; ok {
		return expr{arg(0, op.prec) + op.sign + arg(1, op.prec+1), op.prec}
	}
	axis := func() string { return local(v.Over[0].Name) }
	switch v.Op {
	case ir.OpNeg:
		return expr{"-" + arg(0, precPrimary), precUnary}
	case ir.OpSelect:
		return expr{"if " + arg(0, 0) + " then " + arg(1, 0) + " else " + arg(2, 0), 0}
	case ir.OpGather:
		return primary("%s[%s]", arg(0, precPrimary), arg(1, 0))
	case ir.OpAt:
		return primary("%s[%s]", arg(0, precPrimary), v.Off)
	case ir.OpSlice:
		return primary("%s[%s:]", arg(0, precPrimary), v.Off)
	case ir.OpScatter:
		return primary("Σ %s by %s", arg(0, 5), arg(1, 0))
	case ir.OpSum, ir.OpProd, ir.OpReduceMax, ir.OpReduceMin, ir.OpLogSumExp:
		return primary("%s(%s over %s)", strings.TrimPrefix(v.Op.Name, "reduce_"),
			arg(0, 0), axis())
	case ir.OpLayout, ir.OpRename, ir.OpDiagonal, ir.OpRows, ir.OpSpread:
		return formulaOf(v.Args[0], depth, prec, false)
	}
	parts := make([]string, len(v.Args))
	for i := range v.Args {
		parts[i] = arg(i, 0)
	}
	return primary("%s(%s)", v.Op.Name, strings.Join(parts, ", "))
}

// remark returns the comment after a field that holds values.
func remark(values []*ir.Value) string {
	var parts []string
	for _, v := range values {
		if v == nil {
			continue
		}
		text := formula(v)
		if v.Hint != "" {
			text = clean(v.Hint)
		}
		if len(parts) == 0 || parts[len(parts)-1] != text {
			parts = append(parts, text)
		}
	}
	if len(parts) > 3 {
		parts = append(parts[:2], fmt.Sprintf("and %d more", len(parts)-2))
	}
	return strings.Join(parts, "; ")
}
