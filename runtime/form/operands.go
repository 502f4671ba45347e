package form

// At returns the operand i of a step, nil when the step has none.
func At[O any](operands []*O, i int) *O {
	if i < len(operands) {
		return operands[i]
	}
	return nil
}

// Need returns the operand i of a step, refusing the step when it is absent. The operands are what says: "input" or "output".
func Need[O any](operands []*O, i int, what string) (*O, error) {
	if o := At(operands, i); o != nil {
		return o, nil
	}
	return nil, Refuse("%s %d is absent", what, i)
}
