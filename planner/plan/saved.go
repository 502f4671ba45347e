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
	// Variables are the root variables that were set from outside the configuration's own files, by name, as written.
	Variables map[string]string `json:"variables"`
	// Dims are the symbolic dimensions bound on the command line, for a graph file without a configuration.
	Dims map[string]int64 `json:"dims"`
	// Settings are the planner's settings that were given on the command line.
	Settings map[string]string `json:"settings"`
}
