package diag

// The ids MP0570 to MP0599: where the configuration and the graphs meet.
const (
	GraphSourceUnreadable ID = "MP0570"
	GraphFormatUnknown    ID = "MP0571"
	UnknownTensor         ID = "MP0572"
	ConflictingPins       ID = "MP0573"
	UnknownGraphPool      ID = "MP0574"
	PoolTooSmall          ID = "MP0575"
	PinnedCollision       ID = "MP0576"
	PinMisaligned         ID = "MP0577"
	PinBeyondPool         ID = "MP0578"
	SearchInterrupted     ID = "MP0579"
	InterruptedPlan       ID = "MP0580"
	GraphTooLarge         ID = "MP0581"
	HoldsOverridden       ID = "MP0582"
	ConnectedMismatch     ID = "MP0583"
	ConnectedPools        ID = "MP0584"
)

var plannerIDs = []Info{
	{GraphSourceUnreadable, Error, "Graph source cannot be read",
		"The file that a graph block names is missing or unreadable. Paths are relative to the directory of the configuration."},
	{GraphFormatUnknown, Error, "Unknown graph format",
		"Neither the content nor the extension of a graph file is one that memplan knows."},
	{UnknownTensor, Error, "No such tensor",
		"A keep list or a place block names a tensor that the graph does not have after folding."},
	{ConflictingPins, Error, "Conflicting pins",
		"Two pins fix the same bytes at different places: the tensors are views of one another. Keep one of the pins."},
	{UnknownGraphPool, Error, "Unknown pool in a graph file",
		"An interval file asks for a pool that the configuration does not declare for the graph's device."},
	{PoolTooSmall, Error, "Does not fit",
		"Buffers that are live together need more bytes than the pool has. The detail names the smallest set found that cannot fit."},
	{PinnedCollision, Error, "Pinned tensors overlap",
		"Two pinned tensors are live together and their pinned bytes overlap. Move one of them."},
	{PinMisaligned, Error, "Pinned offset is misaligned",
		"A pinned offset is not a multiple of the alignment of its pool."},
	{PinBeyondPool, Error, "Pinned tensor ends beyond its pool",
		"The pinned offset plus the size of the tensor is more than the capacity of the pool."},
	{SearchInterrupted, Warning, "Search interrupted",
		"The search for a placement was stopped by an interrupt or a time limit. The plan is valid but not reproducible, and is not accepted."},
	{InterruptedPlan, Error, "Interrupted plans are not accepted",
		"A plan whose search was stopped is neither written nor applied, since the same input could give another one. Run the command to its end."},
	{GraphTooLarge, Error, "Graph file is too large",
		"A graph written as text, JSON or CSV, is larger than memplan reads. Keep weights in files of their own."},
	{HoldsOverridden, Warning, "The pool does not hold this role",
		"A rule or a pin put tensors into a pool whose holds, as the configuration gives it, leaves out their role. Rules and pins override holds: add the role there, or choose another pool."},
	{ConnectedMismatch, Error, "Connected tensors do not match",
		"An input that comes from another graph has the type and shape of that graph's output, which a run writes."},
	{ConnectedPools, Error, "No pool for connected tensors",
		"An input that comes from another graph is in the bytes of that graph's output, so that one pool must be allowed for both."},
}
