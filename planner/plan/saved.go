package plan

// Saved is a plan written by "memplan plan -out": the plan itself with one more member, which says where it came from.
// It is applied without a prompt, and only while what it was made of is still the same.
type Saved struct {
	Plan
	Saved Provenance `json:"saved"`
}

// Provenance is what a saved plan was made of, beside the digests and settings in the plan.
type Provenance struct {
	// Path is what was planned, a configuration or a graph file, relative to the directory of the saved plan with
	// forward slashes.
	Path string `json:"path"`
	// Lock is the digest of the lock that the user saw the changes against, "" when there was none.
	Lock string `json:"lock"`
	// Environment are the variables that the environment set, by name, as written there.
	Environment map[string]string `json:"environment"`
	// Arguments are the -var and -var-file flags in their order.
	Arguments []Argument `json:"arguments"`
	// Dims are the symbolic dimensions bound on the command line, for a graph file without a configuration.
	Dims map[string]int64 `json:"dims"`
	// Settings are the planner's settings that were given on the command line.
	Settings map[string]string `json:"settings"`
	// Withheld names the sensitive variables that the environment or the command line set, in ascending order. Their values
	// are not written; apply needs them again.
	Withheld []string `json:"withheld,omitempty"`
}

// Argument is a -var flag, or a -var-file flag when File is set.
type Argument struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	// File is relative to the directory of the saved plan, with forward slashes.
	File string `json:"file"`
}
