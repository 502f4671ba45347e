package diag

// The ids MP0300 to MP0349, of ONNX models. Each is declared once as a constant and once in the table.
const (
	NotONNX            ID = "MP0300"
	ONNXDamaged        ID = "MP0301"
	ONNXOpsetVersion   ID = "MP0302"
	ONNXOpsetMissing   ID = "MP0303"
	ONNXControlFlow    ID = "MP0304"
	ONNXSequence       ID = "MP0305"
	ONNXElementType    ID = "MP0306"
	ONNXCustomOp       ID = "MP0307"
	ONNXDuplicateValue ID = "MP0308"
	ONNXUndefinedValue ID = "MP0309"
	ONNXCycle          ID = "MP0310"
	ONNXTensorData     ID = "MP0311"
	ONNXExternalData   ID = "MP0312"
	ONNXTrainingOp     ID = "MP0313"
	ONNXAttribute      ID = "MP0314"
	ONNXSparseTensor   ID = "MP0315"
	ONNXFunction       ID = "MP0316"
	ONNXOldForm        ID = "MP0317"
	ONNXShape          ID = "MP0318"
)

var importIDs = []Info{
	{NotONNX, Error, "The file is not an ONNX model", "The bytes are not those of an ONNX model: another format, a pointer of Git LFS, or an empty file. Give the path of the .onnx file itself."},
	{ONNXDamaged, Error, "The ONNX model is damaged", "The file starts as an ONNX model but breaks off, or a part of it cannot be decoded. Copy or export it again."},
	{ONNXOpsetVersion, Error, "The operator set version is not supported", "The model uses a version of ONNX's operator set outside the range that is read. Convert it with the ONNX version converter."},
	{ONNXOpsetMissing, Error, "The model declares no operator set", "The meaning of ONNX's operators depends on the version of their set, and the model does not say which it uses. Export it again."},
	{ONNXControlFlow, Error, "Control flow is not planned", "If, Loop, Scan and other ops that run a graph of their own decide at run time what is alive. Export the model without them, for example with constant conditions."},
	{ONNXSequence, Error, "Sequences and optional values are not planned", "Sequences, maps and optional values have no size known before a run. Export the model with tensors in their place."},
	{ONNXElementType, Error, "The element type is not supported", "Tensors need numeric elements of whole bytes: strings, 8-bit floats and types below a byte are refused. Convert the model."},
	{ONNXCustomOp, Error, "The custom operator's result has no declared shape", "The shape of a custom operator's result cannot be inferred. Declare it in the model's value_info."},
	{ONNXDuplicateValue, Error, "The name is defined twice", "Each value of a graph has one definition: an input, an initializer or the output of one op. Rename one of the two."},
	{ONNXUndefinedValue, Error, "The value is not defined", "An op or an output of the graph uses a name that is no input, no initializer and no op's output."},
	{ONNXCycle, Error, "Operators depend on each other in a circle", "No order can execute ops that wait for each other. Check the export."},
	{ONNXTensorData, Error, "The tensor's values do not match its shape", "The file holds more or fewer values than the shape of a constant needs, or holds them in a damaged form."},
	{ONNXExternalData, Error, "External tensor values cannot be read", "A constant's values are in another file, which is missing, too short, or outside the model's directory."},
	{ONNXTrainingOp, Error, "The operator is in training mode", "Only inference is planned. Export the model in evaluation mode."},
	{ONNXAttribute, Error, "The attribute cannot be used", "An op has an attribute of a kind that cannot be carried, or of the wrong kind, or lacks one that it needs."},
	{ONNXSparseTensor, Error, "The sparse tensor is not valid", "Positions of a sparse constant lie outside its shape, do not ascend, or do not match its values in number."},
	{ONNXFunction, Error, "The model function cannot be expanded", "Functions of a model are written out at each call. One that calls itself, is defined twice or grows too large cannot be."},
	{ONNXOldForm, Error, "An older operator form cannot be converted", "The op is written for an older operator set, and its meaning in the newest one depends on a shape that the model does not declare. Convert the model to a newer set."},
	{ONNXShape, Error, "The tensor's shape is not valid", "A shape has a negative size, or its bytes exceed 2^63-1."},
}
