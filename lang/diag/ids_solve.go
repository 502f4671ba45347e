package diag

// The ids MP065x to MP067x, of layout problems as files; MP0659 is retired. Each is declared once as a constant and once in the table.
const (
	SolveHeader      ID = "MP0650"
	SolveColumn      ID = "MP0651"
	SolveRow         ID = "MP0652"
	SolveNumber      ID = "MP0653"
	SolveRange       ID = "MP0654"
	SolveLifetime    ID = "MP0655"
	SolveDuplicate   ID = "MP0656"
	SolveText        ID = "MP0657"
	SolveGap         ID = "MP0658"
	SolveJSON        ID = "MP0660"
	SolveMember      ID = "MP0661"
	SolveReference   ID = "MP0662"
	SolvePoolOption  ID = "MP0663"
	SolveTooLarge    ID = "MP0664"
	SolveMore        ID = "MP0665"
	SolveCompressed  ID = "MP0666"
	SolveDoesNotFit  ID = "MP0667"
	SolveNotFound    ID = "MP0668"
	SolvePin         ID = "MP0669"
	SolveInterrupted ID = "MP0670"
	SolveForm        ID = "MP0671"
)

var solveIDs = []Info{
	{SolveHeader, Error, "The header of the problem is incomplete",
		"The first line of a CSV problem must name the columns id, lower, upper and size, in any order and in any of their spellings."},
	{SolveColumn, Error, "Unknown or repeated column",
		"A column of a CSV problem has a name that means nothing here, or the meaning of another column. Rename or remove it."},
	{SolveRow, Error, "The row does not match the header",
		"A row has more or fewer fields than the header names columns, or is blank between other rows."},
	{SolveNumber, Error, "Not a whole number", "A value that must be a whole number is something else."},
	{SolveRange, Error, "The number is out of range",
		"A size or an offset is negative, an alignment below 1, or a number does not fit into 64 bits."},
	{SolveLifetime, Error, "The lifetime holds no time", "A buffer ends before it is live at all. Correct one of the two times."},
	{SolveDuplicate, Error, "The name is taken", "Two buffers have the same id, or two pools or members of an object the same name."},
	{SolveText, Error, "The text is damaged", "A name is empty or not UTF-8, or a quoted field has no end."},
	{SolveGap, Error, "Not a gap",
		"Gaps are written as from-to or, where the bytes [lower, upper) stay taken, as from-to@lower:upper, several of them with spaces between. They lie within the lifetime and do not overlap."},
	{SolveJSON, Error, "Not a layout problem in JSON", "The file is not valid JSON, or a value is of another type than the problem needs."},
	{SolveMember, Error, "Unknown or missing member", "An object of a JSON problem lacks a member or has one that means nothing here."},
	{SolveReference, Error, "Unknown pool or buffer", "A buffer names a pool that is not declared, or conflicts with a buffer that does not exist."},
	{SolvePoolOption, Error, "The pool options do not go together",
		"An option is for a pool that -workspace-pools does not declare, or is not of the form POOL:VALUE."},
	{SolveTooLarge, Error, "The sizes overflow", "Sizes, offsets and alignments come to more than 2^63-1 bytes in all."},
	{SolveMore, Error, "More faults were found", "Only the first faults of a file are described one by one. Correct them first."},
	{SolveCompressed, Error, "The compressed file cannot be read",
		"A gzip file is damaged, or holds more than memplan takes. Unpack it by hand to see what is wrong."},
	{SolveDoesNotFit, Error, "The buffers do not fit", "It is proved that no placement exists. Raise a capacity or make buffers smaller."},
	{SolveNotFound, Error, "No placement was found",
		"The search ended without a placement and without a proof that there is none. Raise -effort or a capacity."},
	{SolvePin, Error, "A pinned buffer cannot stand at its offset",
		"A given offset is misaligned, ends beyond the pool, or meets another given offset."},
	{SolveInterrupted, Warning, "The search was interrupted", "The result is the best found until then; another run may find another one."},
	{SolveForm, Error, "The result cannot be written in this form", "CSV has no columns for explicit conflicts, and no names of more than one line. Write JSON."},
}
