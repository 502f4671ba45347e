package diag

// Syntax, blocks and attributes.
const (
	InvalidSyntax       ID = "MP0101"
	UnknownBlock        ID = "MP0102"
	UnknownAttribute    ID = "MP0103"
	MissingAttribute    ID = "MP0104"
	DuplicateAttribute  ID = "MP0105"
	WrongLabelCount     ID = "MP0106"
	InvalidName         ID = "MP0107"
	RepeatedBlock       ID = "MP0108"
	MissingBlock        ID = "MP0109"
	DeprecatedAttribute ID = "MP0110"
)

// Text and files.
const (
	InvalidEncoding   ID = "MP0111"
	FileTooLarge      ID = "MP0112"
	NestingTooDeep    ID = "MP0113"
	PathNotFound      ID = "MP0114"
	FileUnreadable    ID = "MP0115"
	NoConfiguration   ID = "MP0116"
	NumberOutOfBounds ID = "MP0117"
)

// Values, references and functions.
const (
	WrongType            ID = "MP0120"
	NullValue            ID = "MP0121"
	InvalidSize          ID = "MP0122"
	InvalidExpression    ID = "MP0123"
	UndeclaredReference  ID = "MP0124"
	InvalidReference     ID = "MP0125"
	UnknownField         ID = "MP0126"
	ReferenceCycle       ID = "MP0127"
	UnknownUntilPlanned  ID = "MP0128"
	UnknownFunction      ID = "MP0129"
	WrongReferenceKind   ID = "MP0130"
	ValueTooLarge        ID = "MP0131"
	UnknownPlannedTensor ID = "MP0132"
)

// Variables.
const (
	InvalidTypeConstraint    ID = "MP0140"
	InvalidDefault           ID = "MP0141"
	MissingVariable          ID = "MP0142"
	UndeclaredVariable       ID = "MP0143"
	UndeclaredVariableInFile ID = "MP0144"
	InvalidVariableValue     ID = "MP0145"
	VariableValidationFailed ID = "MP0146"
	InvalidVariablesFile     ID = "MP0147"
)

// Modules.
const (
	InvalidModuleSource ID = "MP0150"
	UnknownBuiltin      ID = "MP0151"
	ModuleNotFound      ID = "MP0152"
	ModuleCycle         ID = "MP0153"
	TooManyModules      ID = "MP0154"
	MissingModuleInput  ID = "MP0155"
	UnknownModuleInput  ID = "MP0156"
	PlannerInModule     ID = "MP0157"
)

// Blocks that stand for several.
const (
	InvalidForEach     ID = "MP0160"
	InvalidCount       ID = "MP0161"
	ForEachAndCount    ID = "MP0162"
	InvalidInstanceKey ID = "MP0163"
	MissingInstance    ID = "MP0164"
	InvalidDynamic     ID = "MP0165"
)

// Renames and what is going to change.
const (
	MovedFromDeclared ID = "MP0170"
	MovedToUndeclared ID = "MP0171"
	MovedTwice        ID = "MP0172"
	InvalidMove       ID = "MP0173"
	DeprecatedInput   ID = "MP0174"
	DeprecatedOutput  ID = "MP0175"
)

// The ids MP01xx. Each is declared once as a constant and once in the table.
var languageIDs = []Info{
	{InvalidSyntax, Error, "Invalid syntax",
		"The text is not valid HCL. Of a cascade, such as that of a missing quote, only the first error is reported: correct it and try again."},
	{UnknownBlock, Error, "Unsupported block type",
		"The block type does not exist here in this version of memplan. The language reference lists all of them."},
	{UnknownAttribute, Error, "Unsupported attribute",
		"The attribute does not exist in this block in this version of memplan. The language reference lists those that do."},
	{MissingAttribute, Error, "Missing required attribute",
		"The block cannot do without this attribute. Add it."},
	{DuplicateAttribute, Error, "Attribute is set twice",
		"An attribute may be set once in a block, a local value once in a directory. Remove one of the two."},
	{WrongLabelCount, Error, "Wrong number of block labels",
		"Some blocks take a name in quotes after their type, others take none."},
	{InvalidName, Error, "Invalid name",
		"The names of blocks begin with a letter or an underscore and go on with letters, digits, underscores and hyphens, so that references can be written to them."},
	{RepeatedBlock, Error, "Block may appear once only",
		"This block may appear once in its surroundings. Merge the two."},
	{MissingBlock, Error, "Missing required block",
		"The block cannot do without a block of this type inside it. Add it."},
	{DeprecatedAttribute, Warning, "Attribute is deprecated",
		"The attribute still works and will be removed in a later version. The detail says what takes its place."},

	{InvalidEncoding, Error, "Invalid character encoding",
		"Configuration files are UTF-8 text, with or without a byte order mark, and hold no NUL characters. Save the file as UTF-8."},
	{FileTooLarge, Error, "File is too large",
		"A configuration file may have 5,000,000 bytes. Split it, or keep generated data in a graph file."},
	{NestingTooDeep, Error, "Nesting is too deep",
		"Brackets, blocks and templates may be nested 200 deep, and one expression may hold 2,000 operators. Give parts of it names in a locals block."},
	{PathNotFound, Error, "No such file or directory",
		"A path given on the command line does not exist. Check its spelling and the current directory."},
	{FileUnreadable, Error, "File cannot be read",
		"The file exists but could not be read. Check its permissions."},
	{NoConfiguration, Error, "No configuration in this directory",
		"In a directory, memplan reads the files named *.memplan.hcl. Name a single file on the command line, or rename it."},
	{NumberOutOfBounds, Error, "Number is out of bounds",
		"A number literal has an exponent beyond 1,000. Write a number that memory or time could have."},

	{WrongType, Error, "Wrong type of value",
		"The value has a type that the attribute does not take, and that cannot be converted without loss."},
	{NullValue, Error, "Value is null",
		"A value is needed here. Leave the attribute out to get its default."},
	{InvalidSize, Error, "Invalid size",
		"Sizes are whole bytes from 0 to 2^63-1: a bare number, or a string with one of the units B, KiB, MiB, GiB, kB, MB, GB in exactly this case."},
	{InvalidExpression, Error, "Expression cannot be evaluated",
		"Evaluation of the expression failed. The detail says where and why."},
	{UndeclaredReference, Error, "Reference to something undeclared",
		"The expression refers to a block, variable or local value that no file declares."},
	{InvalidReference, Error, "Invalid reference",
		"A reference is a kind and a name, as in pool.arena or var.batch. Some places allow fewer kinds."},
	{UnknownField, Error, "No such field",
		"The object that is referred to has no field of this name."},
	{ReferenceCycle, Error, "References form a cycle",
		"Each value of the cycle needs the next one first. Replace one of the references by a value of its own."},
	{UnknownUntilPlanned, Error, "Value is known only after planning",
		"The attribute is needed to make the plan, so it cannot depend on the plan's outcome. Planned values may be used in checks and outputs."},
	{UnknownFunction, Error, "No such function",
		"The language reference lists the functions."},
	{WrongReferenceKind, Error, "Reference to the wrong kind of block",
		"The attribute takes a reference to a block of another kind, such as device.gpu."},
	{ValueTooLarge, Error, "Value is too large",
		"An evaluated value may have 16 MiB of text or 100,000 elements. Check for a text that is repeated within itself."},
	{UnknownPlannedTensor, Error, "No such tensor in the plan",
		"An output or check refers to a tensor that the planned graph does not have."},

	{InvalidTypeConstraint, Error, "Invalid type of a variable",
		"The type of a variable is a type constraint, such as string, number, list(string) or object({ n = optional(number, 1) })."},
	{InvalidDefault, Error, "Default does not match the type",
		"The default of a variable cannot be converted to the variable's type."},
	{MissingVariable, Error, "No value for a required variable",
		"A variable without a default needs a value: from MEMPLAN_VAR_name, from a variables file, or from -var on the command line."},
	{UndeclaredVariable, Error, "Value for an undeclared variable",
		"The command line gives a value to a variable that no file declares."},
	{UndeclaredVariableInFile, Warning, "Value for an undeclared variable in a file",
		"A variables file gives a value to a variable that no file declares. The value is ignored."},
	{InvalidVariableValue, Error, "Invalid value for a variable",
		"The value given cannot be converted to the variable's type, or is null where the variable is not nullable."},
	{VariableValidationFailed, Error, "Variable fails its validation",
		"The condition of a validation block is false for the value given. The detail is the block's own error message."},
	{InvalidVariablesFile, Error, "Invalid variables file",
		"A variables file holds lines of the form name = value with constant values, and no blocks."},

	{InvalidModuleSource, Error, "Invalid source of a module",
		"The source of a module is a constant text: a path that begins with ./ or ../ and has forward slashes, or builtin: and the name of a builtin module."},
	{UnknownBuiltin, Error, "No such builtin module",
		"There is no builtin module of this name. The detail lists those that there are."},
	{ModuleNotFound, Error, "Module not found",
		"The source of a module names a directory or file that does not exist. Paths are relative to the directory of the file that has the block."},
	{ModuleCycle, Error, "Module contains itself",
		"A module calls itself, or one that calls it, so that there would be no end of it. Remove one of the calls."},
	{TooManyModules, Error, "Too many modules",
		"Modules may be nested 16 deep, and a configuration may have 256 of them in all."},
	{MissingModuleInput, Error, "Module lacks a required input",
		"A variable of the module has no default, and the block that calls the module gives it no value."},
	{UnknownModuleInput, Error, "Module has no such input",
		"The block gives a value to a variable that the module does not declare."},
	{PlannerInModule, Error, "Planner settings in a module",
		"There is one plan and so one planner block, that of the configuration itself. A module has none."},

	{InvalidForEach, Error, "for_each cannot be used as it is",
		"for_each takes a map, an object or a set of strings. Its keys become parts of addresses, so they must be known before planning, and neither null nor sensitive."},
	{InvalidCount, Error, "count cannot be used as it is",
		"count takes a whole number from 0 to 10,000 that is known before planning and not sensitive."},
	{ForEachAndCount, Error, "for_each and count exclude each other",
		"A block has instances by key or by number, not both."},
	{InvalidInstanceKey, Error, "Wrong key of an instance",
		"An instance of a block with for_each has a key in quotes, as in pool.bank[\"fast\"]; one of a block with count has a number, as in pool.bank[0]; other blocks have neither."},
	{MissingInstance, Error, "No such instance",
		"The block has for_each or count, and no instance of this key."},
	{InvalidDynamic, Error, "Dynamic block cannot be made",
		"A dynamic block has the type of a block that may stand here as its label, a collection in for_each that is known before planning, and labels where the blocks have them."},

	{MovedFromDeclared, Error, "What was moved is still declared",
		"A moved block says that something has another address now, so the old address may not be declared any more. Remove the block, or the moved block."},
	{MovedToUndeclared, Error, "The new address is not declared",
		"The address in to of a moved block is that of a block that is declared, or of an instance that there is."},
	{MovedTwice, Error, "Moved more than once",
		"Two moved blocks have the same from or the same to, or moves lead in a circle, so that what comes from where cannot be told."},
	{InvalidMove, Error, "Addresses of a move do not match",
		"The addresses of a moved block are those of two pools, two graphs, two devices, two modules, or of two tensors of one graph, written out without expressions."},
	{DeprecatedInput, Warning, "A deprecated variable is given a value",
		"The module's author says that the variable will go. The detail is the author's own message."},
	{DeprecatedOutput, Warning, "A deprecated output is used",
		"The module's author says that the output will go. The detail is the author's own message."},
}
