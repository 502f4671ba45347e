package diag

// The ids MP06xx. Each is declared once as a constant and once in the table.
const (
	TensorSizeUnknown   ID = "MP0600"
	ScratchSizeNegative ID = "MP0601"
	TotalSizeOverflow   ID = "MP0602"
)

var layoutIDs = []Info{
	{TensorSizeUnknown, Error, "The size of a tensor is not known",
		"A tensor reached planning with an open dimension, an unknown element type or more than 2^63-1 bytes. Bind its dimensions."},
	{ScratchSizeNegative, Error, "The size of a scratch buffer is negative",
		"An op of a graph file asks for a negative number of bytes of scratch memory."},
	{TotalSizeOverflow, Error, "The sizes overflow",
		"The buffers of a graph take more than 2^63-1 bytes in all. A dimension is probably wrong."},
}
