package diag

// What blocks say together.
const (
	DuplicateName            ID = "MP0201"
	InvalidChoice            ID = "MP0202"
	NotPowerOfTwo            ID = "MP0203"
	NumberOutOfRange         ID = "MP0204"
	TexturePoolWithoutImages ID = "MP0205"
	AlignmentBelowBase       ID = "MP0206"
	InvalidGlob              ID = "MP0207"
	VersionNotSatisfied      ID = "MP0208"
	InvalidVersion           ID = "MP0209"
	RuleDecidesNothing       ID = "MP0210"
	PoolDoesNotSuitScope     ID = "MP0211"
	PoolOnOtherDevice        ID = "MP0212"
	PinOffsetMisaligned      ID = "MP0213"
	PinOffsetBeyondPool      ID = "MP0214"
	PinOffsetInTexturePool   ID = "MP0215"
	ImagesNeedBuffers        ID = "MP0216"
	OneInputSource           ID = "MP0217"
	CheckFailed              ID = "MP0218"
	CheckUndecided           ID = "MP0219"
	EmptyList                ID = "MP0220"
	ImagesInTexturePool      ID = "MP0221"
	NoPoolForImages          ID = "MP0222"
	PenaltyWithoutScope      ID = "MP0223"
	ListedTwice              ID = "MP0224"
	CapabilityWithoutImages  ID = "MP0225"
	ExportPathTaken          ID = "MP0226"
	SensitiveIsPlanned       ID = "MP0227"
	DiagonalWithoutOrder     ID = "MP0228"
	DiagonalConcurrent       ID = "MP0229"
	OrderIsKnown             ID = "MP0230"
	PreconditionFailed       ID = "MP0240"
	PostconditionFailed      ID = "MP0241"
	InputOnOtherDevice       ID = "MP0242"
	GraphCycle               ID = "MP0243"
	ConcurrentAlone          ID = "MP0244"
	ConcurrentConnected      ID = "MP0245"
	InputOfOtherGraph        ID = "MP0246"
)

// The ids MP02xx. Each is declared once as a constant and once in the table.
var configurationIDs = []Info{
	{DuplicateName, Error, "Name is already taken",
		"Two blocks of one type have the same name. Rename one of them."},
	{InvalidChoice, Error, "Unknown value",
		"The attribute takes one of a few values, and this is none of them. The detail lists them."},
	{NotPowerOfTwo, Error, "Alignment is not a power of two",
		"Alignments are 1, 2, 4, 8 and so on, in bytes or texels."},
	{NumberOutOfRange, Error, "Number is out of range",
		"The attribute takes a whole number within limits that the detail gives."},
	{TexturePoolWithoutImages, Error, "Device has no textures",
		"A pool of type \"texture\" needs a device with an image2d block that gives the device's limits."},
	{AlignmentBelowBase, Warning, "Alignment is below the device's",
		"A pool's alignment is smaller than its device's base_alignment. The plan is right, but the device may refuse or slow down such offsets."},
	{InvalidGlob, Error, "Malformed glob",
		"A pattern for tensor names has an unclosed bracket or brace, or a backslash at its end."},
	{VersionNotSatisfied, Error, "This version of memplan is excluded",
		"The configuration's required_version excludes the memplan that reads it. Install another version or change the constraint."},
	{InvalidVersion, Error, "Invalid version constraint",
		"A version constraint is written as in \">= 0.1\" or \"~> 0.1, != 0.1.3\"."},
	{RuleDecidesNothing, Error, "Rule decides nothing",
		"A scope rule gives a scope, a list of pools, or both."},
	{PoolDoesNotSuitScope, Error, "Pool cannot hold this scope",
		"A pool of type \"texture\" cannot hold tensors of scope \"global\"."},
	{PoolOnOtherDevice, Error, "Pool is on another device",
		"A tensor is pinned to a pool of a device other than its graph's."},
	{PinOffsetMisaligned, Error, "Offset does not meet the alignment",
		"The offset of a pin is a multiple of the pool's alignment."},
	{PinOffsetBeyondPool, Error, "Offset is beyond the pool's end",
		"The offset of a pin lies within the pool's size."},
	{PinOffsetInTexturePool, Error, "Textures have no offset",
		"An offset can be pinned in a flat pool only. Leave offset out to pin the pool alone."},
	{ImagesNeedBuffers, Error, "Device cannot back images with buffers",
		"A flat pool with images = true needs a device whose image2d block says from_buffer = true."},
	{OneInputSource, Error, "Input needs exactly one source",
		"An input of a run is filled from a file (npy) or from random numbers (random_seed), not both and not neither."},
	{CheckFailed, Error, "Check failed",
		"The condition of an assert block is false for the plan made. A budget that is exceeded must fail the build, so this is an error. The detail is the block's own error message."},
	{CheckUndecided, Error, "Check cannot be decided",
		"The condition of an assert block is unknown or null even with the plan made."},
	{EmptyList, Error, "List is empty",
		"An empty list would match or allow nothing. Leave the attribute out for its default, or list something."},
	{ImagesInTexturePool, Error, "images is for flat pools",
		"images = true lets a flat pool hold images over its bytes. A pool of type \"texture\" holds images anyway."},
	{NoPoolForImages, Warning, "No pool of the rule holds images",
		"A scope rule gives a texture scope and lists pools that are all flat and without images = true, so that no tensor can be an image."},
	{PenaltyWithoutScope, Error, "Penalty without a scope",
		"The penalty of a scope rule is the cost of not getting the rule's scope, so there must be one."},
	{ListedTwice, Warning, "Listed twice",
		"A capability names an operator or a scope twice, or repeats another capability of the device. The second has no effect."},
	{CapabilityWithoutImages, Warning, "Capability of a device without textures",
		"A capability allows a texture scope on a device without an image2d block, which has no textures."},
	{ExportPathTaken, Error, "Two exports write one file",
		"The path of an export block is that of another one. Each export has a file of its own."},
	{SensitiveIsPlanned, Warning, "A sensitive value is planned with",
		"An attribute that the plan is made from depends on a sensitive variable. The plan, the lock and listings show what follows from it, so that it is not hidden."},
	{DiagonalWithoutOrder, Warning, "The device keeps no order for this view",
		"The view \"diagonal\" writes results over operands from below, which only kernels may do that are known to visit the result in the order of memory. It has no effect on other devices."},
	{DiagonalConcurrent, Warning, "Concurrent graphs have no use for this view",
		"The view \"diagonal\" writes results over operands from below in the step between them. Where graphs may run at the same time their steps have no order, and the view has no effect."},
	{OrderIsKnown, Error, "The order of the kernels is known",
		"The attribute keeps_order says of kernels that memplan does not know that they keep the order of memory. Those of its own drivers are known."},
	{PreconditionFailed, Error, "Precondition failed",
		"The condition of a precondition block is false, so that nothing is planned. The detail is the block's own error message."},
	{PostconditionFailed, Error, "Postcondition failed",
		"The condition of a postcondition block is false for the plan made, so that nothing is applied. The detail is the block's own error message."},
	{InputOnOtherDevice, Error, "Input comes from another device",
		"An input that comes from another graph is in the same bytes as that graph's output, so both graphs run on one device."},
	{GraphCycle, Error, "Graphs need each other",
		"Each of the graphs gets an input from the other, directly or through others, so that none can run first. Remove one of the connections."},
	{ConcurrentAlone, Error, "One graph is not concurrent",
		"The planner's list of concurrent graphs says which graphs may run at the same time, so it has two or more, or is left out."},
	{ConcurrentConnected, Error, "Connected graphs are not concurrent",
		"A graph that gets an input from another runs after it, directly or through others, so that the two cannot run at the same time."},
	{InputOfOtherGraph, Error, "Input of a graph that does not run",
		"An input of a run belongs to the run's graph, or to one that runs before because an input comes from it."},
}
