package diag

// The ids MP0340 to MP0348, of TVM graph files. Each is declared once as a constant and once in the table.
const (
	TVMSyntax    ID = "MP0340"
	TVMMissing   ID = "MP0341"
	TVMValue     ID = "MP0342"
	TVMLengths   ID = "MP0343"
	TVMReference ID = "MP0344"
	TVMDType     ID = "MP0345"
	TVMScope     ID = "MP0346"
	TVMParams    ID = "MP0347"
	TVMMore      ID = "MP0348"
)

var tvmIDs = []Info{
	{TVMSyntax, Error, "TVM graph file is not valid JSON",
		"The text of a TVM graph file breaks the rules of JSON, breaks off, or nests values too deep. Write it again with TVM, or correct it at the place shown."},
	{TVMMissing, Error, "TVM graph lacks a field",
		"A part that every graph of TVM's graph executor has is missing, such as the shapes of its tensors. Write the file again with TVM."},
	{TVMValue, Error, "Value of a TVM graph cannot be used",
		"A value has the wrong type, is out of range, or is not one that its field can have. Correct it."},
	{TVMLengths, Error, "Parts of a TVM graph contradict each other",
		"A list has more or fewer entries than node_row_ptr and the nodes' outputs need, or two nodes or fields have one name. Write the file again with TVM."},
	{TVMReference, Error, "Reference of a TVM graph leads nowhere",
		"A node, arg_nodes or heads refers to a node or output that does not exist or that stands later. Nodes stand in the order they run in."},
	{TVMDType, Error, "Element type of a TVM graph is not planned",
		"Vectors, handles, custom types and elements that are not of whole bytes have no counterpart. Compile the model with plain element types."},
	{TVMScope, Error, "Storage scope of a TVM graph is unknown",
		"A storage_scope is none of the scopes of memory that can be planned. Correct its name."},
	{TVMParams, Error, "Parameters of a TVM graph cannot be used",
		"The .params file beside a TVM graph is damaged or belongs to another graph. Write both files again from one compilation, or move it away."},
	{TVMMore, Error, "Further faults follow",
		"The TVM graph file has more faults than are described one by one."},
}
