package diag

// The ids MP06xx, of lifetimes and of the verification of plans. Each is declared once as a constant and once in the
// table.
const (
	TensorSizeUnknown   ID = "MP0600"
	ScratchSizeNegative ID = "MP0601"
	TotalSizeOverflow   ID = "MP0602"

	PlanGraphsDiffer     ID = "MP0610"
	PlanTensorMissing    ID = "MP0611"
	PlanTensorUnknown    ID = "MP0612"
	PlanTensorTwice      ID = "MP0613"
	PlanTensorDiffers    ID = "MP0614"
	PlanPoolUnknown      ID = "MP0615"
	PlanPoolUnsuited     ID = "MP0616"
	PlanMisaligned       ID = "MP0617"
	PlanBeyondCapacity   ID = "MP0618"
	PlanOverlap          ID = "MP0619"
	PlanTensorTooSmall   ID = "MP0620"
	PlanLifetimeTooShort ID = "MP0621"
	PlanViewMoved        ID = "MP0622"
	PlanViewOutlives     ID = "MP0623"
	PlanViewIllegal      ID = "MP0624"
	PlanAllocTooLarge    ID = "MP0625"
	PlanTotalsWrong      ID = "MP0626"
	PlanStorageWrong     ID = "MP0627"
	PlanStepsDiffer      ID = "MP0628"

	PlanImageImpossible   ID = "MP0629"
	PlanImageTooSmall     ID = "MP0630"
	PlanImageTexelDiffers ID = "MP0631"
	PlanImageFormWrong    ID = "MP0632"
	PlanImageBeyondLimits ID = "MP0633"
	PlanImagesRefused     ID = "MP0634"
	PlanImageShared       ID = "MP0635"
	PlanImageViewDiffers  ID = "MP0636"
	PlanImageBytesWrong   ID = "MP0637"
	PlanScopeMisplaced    ID = "MP0638"
	PlanCopiesDiffer      ID = "MP0639"
	PlanCopyWrong         ID = "MP0640"
	PlanKeptTooShort      ID = "MP0641"
	PlanShareWrong        ID = "MP0642"
	PlanDiagonalWrong     ID = "MP0643"
)

var layoutIDs = []Info{
	{TensorSizeUnknown, Error, "The size of a tensor is not known",
		"A tensor reached planning with an open dimension, an unknown element type or more than 2^63-1 bytes. Bind its dimensions."},
	{ScratchSizeNegative, Error, "The size of a scratch buffer is negative",
		"An op of a graph file asks for a negative number of bytes of scratch memory."},
	{TotalSizeOverflow, Error, "The sizes overflow",
		"The buffers of a graph take more than 2^63-1 bytes in all. A dimension is probably wrong."},
	{PlanGraphsDiffer, Error, "The plan is for other graphs",
		"The plan has more or fewer graphs than the configuration. Plan again."},
	{PlanTensorMissing, Error, "A tensor has no place in the plan",
		"An op, the graph's caller or the next run uses a tensor for which the plan has no memory. Plan again."},
	{PlanTensorUnknown, Error, "The plan places an unknown tensor",
		"The plan has a tensor that the graph does not have: the model changed. Plan again."},
	{PlanTensorTwice, Error, "The plan places a tensor twice",
		"Two rows of the plan have the same name. Plan again."},
	{PlanTensorDiffers, Error, "A tensor differs from the graph's",
		"Role, element type or shape of a tensor are not those of the graph: the model changed. Plan again."},
	{PlanPoolUnknown, Error, "The plan uses an unknown pool",
		"A tensor is placed in a pool that the plan does not declare. Plan again."},
	{PlanPoolUnsuited, Error, "The pool may not hold the tensor",
		"A tensor is in a pool of another device, of the wrong type, or of other roles, and no rule or pin put it there. Plan again."},
	{PlanMisaligned, Error, "A tensor is misaligned",
		"The offset of a tensor is not a multiple of the alignment of its pool or of its own. Plan again."},
	{PlanBeyondCapacity, Error, "A tensor ends beyond its pool",
		"Offset and size of a tensor exceed the capacity of its pool, or are no possible numbers. Plan again."},
	{PlanOverlap, Error, "Two live tensors share bytes",
		"Two tensors that are needed at the same time overlap in memory: running the plan would compute wrong results. Plan again."},
	{PlanTensorTooSmall, Error, "A tensor is given too few bytes",
		"The bytes that the plan gives a tensor are fewer than its elements need, or counted wrongly. Plan again."},
	{PlanLifetimeTooShort, Error, "A tensor is used after its lifetime",
		"The plan lets a tensor's bytes go before its last reader, or claims them after its writer. Plan again."},
	{PlanViewMoved, Error, "A view does not lie in its base",
		"A tensor that shares the bytes of another is not where those bytes are, or its base has none. Plan again."},
	{PlanViewOutlives, Error, "A view outlives its base",
		"A tensor that shares the bytes of another is used while those bytes may belong to a third. Plan again."},
	{PlanViewIllegal, Error, "A view is not made from its base",
		"A tensor shares the bytes of another, but no op passes those bytes on unchanged. Plan again."},
	{PlanAllocTooLarge, Error, "The allocation is too large for the device",
		"A pool is one allocation, and the plan needs more than the device's max_alloc. Plan again."},
	{PlanTotalsWrong, Error, "The totals of a pool are wrong",
		"Peak, bound, used, gap, optimality or peak step of a pool are not what its tensors give. Plan again."},
	{PlanStorageWrong, Error, "Tensor and storage disagree",
		"A tensor does not lie within the storage it names, or a storage is listed twice or belongs to nothing. Plan again."},
	{PlanStepsDiffer, Error, "The steps differ from the graph's",
		"The ops of the plan are not those of the graph, in number, name, type or order, or one reads what none before it writes. Plan again."},
	{PlanImageImpossible, Error, "A tensor cannot be an image",
		"A tensor has a texture scope, and its shape, layout or element type give no texels of four channels. Plan again."},
	{PlanImageTooSmall, Error, "An image is too small for its tensor",
		"A tensor is wider or higher than the image that the plan puts it into. Plan again."},
	{PlanImageTexelDiffers, Error, "An image has other texels than its tensor",
		"The texel format of an image is not that of a tensor that the plan puts into it. Plan again."},
	{PlanImageFormWrong, Error, "Sides and bytes of an image disagree",
		"Row pitch and size of an image are not what its sides, its texels and the pitch alignment of the device give. Plan again."},
	{PlanImageBeyondLimits, Error, "An image is too large for the device",
		"An image of the plan is wider or higher than the largest that the device has. Plan again."},
	{PlanImagesRefused, Error, "The pool takes no images",
		"A tensor of a texture scope is on a device without images, or in a flat pool that holds no images over its bytes. Plan again."},
	{PlanImageShared, Error, "Two live tensors share an image",
		"Two tensors that are needed at the same time are in one image: running the plan would compute wrong results. Plan again."},
	{PlanImageViewDiffers, Error, "A view has other texels than its base",
		"Two images hold the same bytes only if width, height, texels and the order of the elements in them agree. Plan again."},
	{PlanImageBytesWrong, Error, "The bytes of a tensor in an image are wrong",
		"A tensor in an image takes as many rows of whole pitches as it is high, and the plan counts otherwise. Plan again."},
	{PlanScopeMisplaced, Error, "Scope and storage of a tensor disagree",
		"A tensor of a texture scope needs an image, one of global memory needs bytes, and image objects are in texture pools only. Plan again."},
	{PlanCopiesDiffer, Error, "The copies differ from the graph's",
		"The plan lists a copy between scopes that no step makes, or leaves out one that a step makes. Plan again."},
	{PlanCopyWrong, Error, "A copy does not lead into its scope",
		"A step that copies between scopes must write the same tensor in another scope, the one that it names. Plan again."},
	{PlanKeptTooShort, Error, "A kept tensor does not live to the end",
		"The plan says that a keep list keeps a tensor to the end of its graph's run, and gives its bytes away before. Plan again."},
	{PlanShareWrong, Error, "Bytes are shared without right",
		"A plan puts a tensor into the bytes of another one that is neither the output it comes from nor a constant of equal content, or not into them."},
	{PlanDiagonalWrong, Error, "A result is written over what is still read",
		"A result lies over an operand nearer than the order of the op's reads and writes allows, or over one that is needed later. Plan again."},
}
