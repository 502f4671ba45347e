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
}
