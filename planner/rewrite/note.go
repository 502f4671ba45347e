package rewrite

// Note records one change for the plan.
type Note struct {
	// Rewrite is the name under which the rewrite is switched on, such as "fold".
	Rewrite string
	// Op is the name of the op that went, or that stayed although it could have gone when Kept is set.
	Op   string
	Kept bool
	// Tensors are the results that became constants, in the order of the op's outputs, and of a fused op the one that is gone.
	Tensors []string
	// HalfBytes are the bytes of the float16 constants that the op turned into float32, and FloatBytes those of its results; 0
	// for an op that did not.
	HalfBytes, FloatBytes int64
	// Because says why, as the rest of a sentence: "all its inputs are constants".
	Because string
}
