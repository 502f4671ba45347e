package diag

// The ids MP0400 to MP0449. Each is declared once as a constant and once in the table.
const (
	UnboundDimension     ID = "MP0400"
	UnmatchedDimension   ID = "MP0401"
	DimensionNotPositive ID = "MP0402"
	UnknownRank          ID = "MP0403"
	NegativeExtent       ID = "MP0404"
	SizeOverflow         ID = "MP0405"
	TooManyAxes          ID = "MP0406"
	ConstantSizeMismatch ID = "MP0407"
	UnknownElementType   ID = "MP0408"
	UseBeforeWrite       ID = "MP0409"
	OperandCount         ID = "MP0410"
	MissingOperand       ID = "MP0411"
	InvalidAttribute     ID = "MP0412"
	AxisOutOfRange       ID = "MP0413"
	RankMismatch         ID = "MP0414"
	ExtentMismatch       ID = "MP0415"
	BroadcastMismatch    ID = "MP0416"
	ElementTypeMismatch  ID = "MP0417"
	WindowTooLarge       ID = "MP0418"
	GroupMismatch        ID = "MP0419"
	DataDependentShape   ID = "MP0420"
	NoShapeRule          ID = "MP0421"
	StaleShape           ID = "MP0422"
	ElementCountMismatch ID = "MP0423"
	InvalidOperandValue  ID = "MP0424"
	ExtentOverflow       ID = "MP0425"
	UnreadableConstant   ID = "MP0426"
)

var shapeIDs = []Info{
	{UnboundDimension, Error, "Dimension has no value",
		"The model leaves dimensions of its inputs open and nothing binds them. Add them to `dims` in the graph block, or pass `-dim NAME=N` with a bare graph file, with the sizes that you run at."},
	{UnmatchedDimension, Error, "No such dimension in the model",
		"An entry of `dims` names a dimension that the model does not have. Use one of the names that the message lists."},
	{DimensionNotPositive, Error, "Dimension is less than 1",
		"A dimension is bound to zero or to a negative number. Bind it to 1 or more."},
	{UnknownRank, Error, "Tensor has no shape",
		"A tensor that no operator writes has no known number of axes. Export the model with a shape for it."},
	{NegativeExtent, Error, "Extent is negative",
		"A shape has an axis of less than 0 elements. Correct the file."},
	{SizeOverflow, Error, "Tensor size overflows",
		"The bytes of a tensor exceed 2^63-1. Look for a wrong extent in its shape."},
	{TooManyAxes, Error, "Tensor has too many axes",
		"A shape has more axes than memplan plans for. Correct the file."},
	{ConstantSizeMismatch, Error, "Constant does not fill its shape",
		"The bytes stored for a constant are not those of its shape and element type. Export the model again."},
	{UnknownElementType, Error, "Tensor has no element type",
		"Neither the file nor the operator that writes a tensor tells its element type. Export the model with types."},
	{UseBeforeWrite, Error, "Tensor is read before it is written",
		"The operators of the file are not in a valid order. Export the model again."},
	{OperandCount, Error, "Wrong number of operands",
		"An operator has more inputs or another number of outputs than it can have. Correct the file."},
	{MissingOperand, Error, "Operator lacks an input",
		"An input that the operator cannot do without is absent. Correct the file."},
	{InvalidAttribute, Error, "Attribute has an invalid value",
		"An attribute is of another type, has a wrong number of values or one out of range. Correct the file."},
	{AxisOutOfRange, Error, "Axis is out of range",
		"An operator names an axis that its tensor does not have. Correct the file."},
	{RankMismatch, Error, "Wrong number of axes",
		"A tensor has another number of axes than the operator takes. Correct the operator that makes it."},
	{ExtentMismatch, Error, "Extents do not match",
		"Two extents that must be equal differ. Correct one of the tensors that the message names."},
	{BroadcastMismatch, Error, "Shapes do not broadcast",
		"The axes of two operands are aligned from the last; a pair is neither equal nor 1 on one side. Correct one of the shapes."},
	{ElementTypeMismatch, Error, "Element types do not match",
		"An operator takes operands of one element type and got several, or one it cannot take. Add a cast to the model."},
	{WindowTooLarge, Error, "Window does not fit its input",
		"A convolution or pooling window, with its dilation, is larger than the padded input, so that nothing is left as output. Give a larger input, or correct pads and kernel."},
	{GroupMismatch, Error, "Groups do not divide the channels",
		"The group attribute of an operator does not divide a number of channels. Correct the file."},
	{DataDependentShape, Error, "Shape depends on data",
		"The shape of a result is known only when the graph runs. Bind the open axis to a bound in `dims`."},
	{NoShapeRule, Error, "Shape cannot be inferred",
		"The operator is unknown to memplan and the file states no shape for its result. Export the model with the shapes of its intermediate tensors."},
	{StaleShape, Warning, "Stated type differs from the inferred one",
		"The file states a shape or an element type for a result that does not follow from the operator and its inputs; the inferred one is planned. Infer the shapes of the file again."},
	{ElementCountMismatch, Error, "Number of elements would change",
		"A reshape gives a tensor another number of elements. Correct its target shape, or the dimension that it was exported for."},
	{InvalidOperandValue, Error, "Operand has an invalid value",
		"An input that steers the shape, such as pads, sizes or splits, has a wrong number of values or one out of range. Correct the file."},
	{ExtentOverflow, Error, "Extent overflows",
		"An extent computed by an operator exceeds 2^63-1. Look for a wrong attribute or operand."},
	{UnreadableConstant, Error, "Constant cannot be read",
		"A constant that steers a shape cannot be decoded. Export the model again."},
}
