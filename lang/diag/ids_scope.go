package diag

// The ids MP0500 to MP0569, of scopes and candidate pools. Each is declared once as a constant and once in the table. MP0501
// was used and is not given again.
const (
	UnknownScope         ID = "MP0500"
	TextureUnavailable   ID = "MP0502"
	NoCandidatePool      ID = "MP0503"
	RuleUnused           ID = "MP0504"
	RuleConditionFailed  ID = "MP0505"
	InvalidTensorPattern ID = "MP0506"
	PinInTexturePool     ID = "MP0507"
	RuleWithoutFlatPool  ID = "MP0508"
	TextureRefused       ID = "MP0509"
	InvalidBlockPattern  ID = "MP0510"
	UnknownScopePolicy   ID = "MP0511"
	UnknownInCapability  ID = "MP0512"
	StoreUnused          ID = "MP0513"
	UnknownCapabilityOp  ID = "MP0514"
)

var scopeIDs = []Info{
	{UnknownScope, Error, "Unknown scope", "A scope_rule gives a scope that does not exist. The scopes are global, global.texture, global.texture-weight and global.texture-nhwc."},
	{TextureUnavailable, Warning, "The device has no textures", "A scope_rule, or the source of a graph, asks for a texture scope on a device without an image2d block. The tensors stay in flat memory."},
	{NoCandidatePool, Error, "No pool can take the tensor", "No flat pool of the graph's device holds the tensor's role. Declare one, or add the role to the holds of a pool."},
	{RuleUnused, Warning, "The rule decides nothing", "No tensor of any graph meets the rule's match block and condition, or an earlier rule decides all that do."},
	{RuleConditionFailed, Error, "The condition of a rule failed", "The condition of a scope_rule could not be evaluated for a tensor, for example because it asks for an axis that the tensor does not have."},
	{InvalidTensorPattern, Error, "The tensor glob is not well formed", "A glob in a scope_rule's match block has an open bracket or brace."},
	{PinInTexturePool, Error, "Flat tensor pinned into a texture pool", "A place block names a texture pool for a tensor of scope global. Pin it to a flat pool."},
	{RuleWithoutFlatPool, Error, "The rule names no flat pool", "A scope_rule leaves tensors in scope global but names texture pools only. Add a flat pool to its pools."},
	{TextureRefused, Warning, "The tensor cannot be a texture", "A scope_rule, or the source of a graph, asks for a texture scope that the tensor cannot have: its rank, layout or element type does not make an image, the image exceeds the device's limits, no pool takes it, or no kernel writes it. Only that tensor stays in flat memory."},
	{InvalidBlockPattern, Error, "The glob is not well formed", "A glob on graphs or devices in a scope_rule's match block has an open bracket or brace."},
	{UnknownScopePolicy, Error, "Unknown scope policy", "The planner is asked for a scope policy that does not exist."},
	{UnknownInCapability, Error, "Unknown name in a capability", "A capability of a device names an operand or a scope that does not exist."},
	{StoreUnused, Warning, "The rule narrows no tensor", "A scope_rule with store decides tensors, and none of them is one that is narrowed. Inputs, outputs and state keep their element type, since callers see them, and only float32 is narrowed."},
	{UnknownCapabilityOp, Warning, "Unknown operator in a capability", "A capability of a device names an operator that no graph has and that is spelt nearly as one that memplan knows. The kernels that it describes are used by no op."},
}
