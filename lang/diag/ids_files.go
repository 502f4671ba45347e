package diag

// TFLite files.
const (
	NotTFLite          ID = "MP0350"
	TFLiteDamaged      ID = "MP0351"
	TFLiteVersion      ID = "MP0352"
	TFLiteControlFlow  ID = "MP0353"
	TFLiteSubgraphs    ID = "MP0354"
	TFLiteTensorType   ID = "MP0355"
	TFLiteNegativeAxis ID = "MP0356"
	TFLiteConstantSize ID = "MP0357"
	TFLiteSparse       ID = "MP0358"
	TFLiteOperands     ID = "MP0359"
	TFLiteWrittenTwice ID = "MP0360"
	TFLiteReadTooEarly ID = "MP0361"
	TFLiteResource     ID = "MP0362"
)

// Native graph files.
const (
	NativeSyntax        ID = "MP0370"
	NativeUnknownField  ID = "MP0371"
	NativeRepeatedField ID = "MP0372"
	NativeMissingField  ID = "MP0373"
	NativeType          ID = "MP0374"
	NativeValue         ID = "MP0375"
	NativeVersion       ID = "MP0376"
	NativeDuplicateName ID = "MP0377"
	NativeUnknownTensor ID = "MP0378"
	NativeWrittenTwice  ID = "MP0379"
	NativeOrder         ID = "MP0380"
	NativeCycle         ID = "MP0381"
	NativeUnwritten     ID = "MP0382"
	NativeData          ID = "MP0383"
	NativeInterface     ID = "MP0384"
	NativeMore          ID = "MP0385"
)

// Interval files.
const (
	IntervalHeader      ID = "MP0390"
	IntervalColumn      ID = "MP0391"
	IntervalSolveColumn ID = "MP0392"
	IntervalRow         ID = "MP0393"
	IntervalNumber      ID = "MP0394"
	IntervalLifetime    ID = "MP0395"
	IntervalRange       ID = "MP0396"
	IntervalDuplicate   ID = "MP0397"
	IntervalText        ID = "MP0398"
	IntervalMore        ID = "MP0399"
)

// The ids MP0350 to MP0399: TFLite, native and interval files. Each is declared once as a constant and once in the
// table.
var fileIDs = []Info{
	{NotTFLite, Error, "File is not a TFLite model",
		"The file does not carry the identifier TFL3. Check the path, and that the file was downloaded completely."},
	{TFLiteDamaged, Error, "TFLite file is damaged",
		"A table of the file points outside of it or claims more than it can hold. Export or download the file again."},
	{TFLiteVersion, Error, "TFLite schema version is not supported",
		"Only version 3 of the schema is read, the one in use since 2018. Convert the model with a current converter."},
	{TFLiteControlFlow, Error, "Control flow is not planned",
		"The model has an operator such as IF or WHILE that runs other subgraphs. Unroll or remove it before conversion."},
	{TFLiteSubgraphs, Warning, "Only the main subgraph is planned",
		"The model has further subgraphs, such as other signatures. Convert each signature to a file of its own."},
	{TFLiteTensorType, Error, "Tensor type is not supported",
		"A tensor holds strings, resources or elements smaller than a byte. Convert the model with a supported type."},
	{TFLiteNegativeAxis, Error, "Tensor shape has a negative axis",
		"TFLite files give every shape as numbers of elements. Convert the model again with a fixed input shape."},
	{TFLiteConstantSize, Error, "Constant has the wrong number of bytes",
		"The bytes stored for a constant are not what its shape and type need. Export or download the file again."},
	{TFLiteSparse, Error, "Sparse constant is damaged",
		"The index structure of a sparse constant contradicts itself or its shape. Convert the model again."},
	{TFLiteOperands, Error, "Operator has the wrong operands",
		"An operator has too few, too many or nonexistent inputs or outputs. Convert the model again."},
	{TFLiteWrittenTwice, Error, "Tensor is written twice",
		"Two operators write one tensor, or one writes an input or a constant. Convert the model again."},
	{TFLiteReadTooEarly, Error, "Tensor is read before it is written",
		"The operators are not in an order that can run, or a tensor has no source. Convert the model again."},
	{TFLiteResource, Error, "Resource operator is not planned",
		"Hash tables and resource variables live outside of the tensors that are planned. Remove them before conversion."},

	{NativeSyntax, Error, "Graph file is not valid JSON",
		"The text of a native graph file breaks the rules of JSON, or nests values too deep. Correct it at the place shown."},
	{NativeUnknownField, Error, "Field is not known",
		"A field of a native graph file is not one of the format's. Remove it or correct its name."},
	{NativeRepeatedField, Error, "Field is given twice",
		"An object of a native graph file has two fields of one name. Keep one of them."},
	{NativeMissingField, Error, "Field is missing",
		"An object of a native graph file lacks a field that it needs. Add it."},
	{NativeType, Error, "Value has the wrong type",
		"A value of a native graph file is not of the type that its field has. Correct it."},
	{NativeValue, Error, "Value is not allowed",
		"A role, dtype, size or name of a native graph file is not one that its field can have. Correct it."},
	{NativeVersion, Error, "Format version is not supported",
		"The file has another major version than this memplan reads. Write it again with a version that matches."},
	{NativeDuplicateName, Error, "Name is used twice",
		"Tensors and ops of a native graph file have names of their own. Rename one of the two."},
	{NativeUnknownTensor, Error, "Tensor is not declared",
		"An op or a list names a tensor that the file does not declare. Declare it or correct the name."},
	{NativeWrittenTwice, Error, "Tensor has two producers",
		"Two ops write one tensor, or one writes an input or a constant. Give one of them another output."},
	{NativeOrder, Error, "Op reads what is not written yet",
		"The ops of a native graph file stand in the order they run in. Move the op that writes before the one that reads."},
	{NativeCycle, Error, "Ops depend on each other in a circle",
		"Each op of the circle reads what another one of it writes, so that none can run first. Remove one of the inputs."},
	{NativeUnwritten, Error, "Tensor has no producer",
		"No op writes a tensor that is no input, constant or state. Give it one of these roles, or add the op."},
	{NativeData, Error, "Content of a constant does not fit",
		"The data or file of a constant cannot be read or has another number of bytes than its shape and dtype need."},
	{NativeInterface, Error, "Inputs or outputs contradict the roles",
		"The lists of inputs and outputs hold each tensor of that role once. Correct the list or the role."},
	{NativeMore, Error, "Further faults follow",
		"The file has more faults than are described one by one."},

	{IntervalHeader, Error, "Interval file lacks a column",
		"The first line of an interval file names its columns; id, lower, upper and size are needed."},
	{IntervalColumn, Error, "Column is unknown or repeated",
		"The header of an interval file has a column that is not known, or two that mean the same. Remove or rename it."},
	{IntervalSolveColumn, Error, "Column belongs to a layout problem",
		"Columns such as offset, hint and gaps are read by `memplan solve` only. Remove them to plan the file as a graph."},
	{IntervalRow, Error, "Row does not match the header",
		"A row has too few or too many fields, or is blank. Give each column one field, and remove blank lines."},
	{IntervalNumber, Error, "Value is not a whole number",
		"Times, sizes and alignments are decimal integers without a unit."},
	{IntervalLifetime, Error, "Lifetime is empty or reversed",
		"Lifetimes are half-open: upper must be greater than lower. A column named end is inclusive instead."},
	{IntervalRange, Error, "Value is out of range",
		"Sizes are 0 or more, alignments 1 or more, and everything fits into 64 bits."},
	{IntervalDuplicate, Error, "Id is used twice",
		"Each row of an interval file is a buffer of its own, with an id that no other row has."},
	{IntervalText, Error, "Field cannot be read",
		"A field has a quote that is not closed, is not UTF-8, or is an empty id."},
	{IntervalMore, Error, "Further rows are wrong",
		"The file has more faults than are described one by one."},
}
