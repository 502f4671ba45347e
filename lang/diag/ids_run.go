package diag

// What a run or a device can find. Each id is declared once as a constant and once in the table.
const (
	NoKernel            ID = "MP0801"
	UnsupportedForm     ID = "MP0802"
	MissingInput        ID = "MP0803"
	UnknownInput        ID = "MP0804"
	InputMismatch       ID = "MP0805"
	DamagedArrayFile    ID = "MP0806"
	ArrayFileForm       ID = "MP0807"
	ConstantNotUploaded ID = "MP0808"
	UnplannedGraph      ID = "MP0809"
	PlanGraphMismatch   ID = "MP0810"
	PoolTooLarge        ID = "MP0811"
	StepFailed          ID = "MP0812"
	UnplacedTensor      ID = "MP0813"
	ImageTooSmall       ID = "MP0814"
	ImageTexel          ID = "MP0815"
	NotAnImage          ID = "MP0816"
	TornImageView       ID = "MP0817"
	NoOpenCL            ID = "MP0818"
	PlanBeyondDevice    ID = "MP0819"
	DeviceDiffers       ID = "MP0820"
	OrderNotKept        ID = "MP0821"
	RowsNotTaken        ID = "MP0822"
	UnknownOutput       ID = "MP0850"
)

var runIDs = []Info{
	{NoKernel, Error, "The device has no kernel for the operator",
		"A step uses an operator that the device cannot run. Plan only (driver \"none\"), or change the model."},
	{UnsupportedForm, Error, "The device does not run this form of an operator",
		"The operator is known, but not with this element type, rank or attribute value."},
	{MissingInput, Error, "A graph input has no value",
		"Each input of the graph needs an array: give a file or a random seed for it."},
	{UnknownInput, Error, "The graph has no such input",
		"An array was given for a name that is not an input of the graph."},
	{InputMismatch, Error, "An array does not match the graph input",
		"Element type and shape of an array must be those the graph was planned for."},
	{DamagedArrayFile, Error, "The array file is damaged",
		"The file is not a NumPy array file, or its header and its length disagree. Write it again with numpy.save."},
	{ArrayFileForm, Error, "The array file has an unsupported form",
		"Column-major and big-endian arrays and element types without a tensor type are refused; convert the array first."},
	{ConstantNotUploaded, Error, "The content of a constant cannot be read",
		"A weight's bytes are missing from the model, or their number is not that of its shape."},
	{UnplannedGraph, Error, "The plan has no such graph",
		"A run names a graph that the plan does not place."},
	{PlanGraphMismatch, Error, "The plan does not fit the graph",
		"The plan was made for another version of the graph. Plan again."},
	{PoolTooLarge, Error, "The machine cannot provide the pool",
		"The planned peak of a pool exceeds what the device can allocate."},
	{StepFailed, Error, "A step failed on its data",
		"The content of a tensor has no meaning for the operator, such as an index out of range."},
	{UnplacedTensor, Error, "A tensor has no memory on this device",
		"A step uses a tensor whose pool belongs to another device or to none."},
	{ImageTooSmall, Error, "A planned image does not hold its tensor",
		"The packed width or height of a tensor exceeds the image that the plan gives it, or the image's rows exceed its bytes. Plan again."},
	{ImageTexel, Error, "A planned image has the wrong texel format",
		"A texel holds four elements of the tensor's type, in an image of just that format. Plan again."},
	{NotAnImage, Error, "A tensor cannot be an image",
		"A plan gives a texture scope to a tensor whose rank, layout or element type has no packed form, or a storage that is no image. Plan again."},
	{TornImageView, Error, "A view does not show its image unchanged",
		"A reshape keeps an image only when each element stays in the same channel of the same texel. Plan again."},
	{NoOpenCL, Error, "No OpenCL device was found",
		"The OpenCL library, a driver for it or a device is missing. On Debian, pocl-opencl-icd and ocl-icd-libopencl1 give one to any processor; \"-device host\" needs none."},
	{PlanBeyondDevice, Error, "The device cannot hold the plan",
		"The real device has smaller images, other texel formats or smaller allocations than the plan needs. Nothing was allocated. Declare the device's true limits and plan again."},
	{DeviceDiffers, Warning, "The device is not as declared",
		"The configuration declares more of a device than it has. This plan fits it all the same; another may not. \"memplan device show -hcl\" writes the true values."},
	{OrderNotKept, Error, "The device keeps no order of visiting",
		"The plan lets a result overwrite an operand from below, which only kernels may do that go through the result in the order of memory. Plan without the view \"diagonal\" for this device."},
	{RowsNotTaken, Error, "The device has no kernel for strided tensors",
		"The plan puts a tensor into another one as rows with other bytes between them, which only kernels can read or write that know where each row starts. Plan for this device, or without the view \"concat\"."},
	{UnknownOutput, Error, "The graph has no such output",
		"A run expects an array of a name that is not an output of the graph."},
}
