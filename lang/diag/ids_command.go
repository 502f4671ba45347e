package diag

// The ids MP09xx. Each is declared once as a constant and once in the table.
const (
	UnknownCommand         ID = "MP0901"
	UnknownFlag            ID = "MP0902"
	InvalidFlag            ID = "MP0903"
	WrongArguments         ID = "MP0904"
	UnknownFileKind        ID = "MP0905"
	NobodyToAsk            ID = "MP0906"
	NotAccepted            ID = "MP0907"
	FileNotWritten         ID = "MP0908"
	Interrupted            ID = "MP0909"
	UnexpectedValue        ID = "MP0910"
	Unrunnable             ID = "MP0911"
	NotExported            ID = "MP0912"
	ExportDiffers          ID = "MP0913"
	NoSuchOutput           ID = "MP0914"
	OutputHasNoValue       ID = "MP0915"
	NoTests                ID = "MP0920"
	TestFailed             ID = "MP0921"
	TestUndecided          ID = "MP0922"
	ExpectedFailureMissing ID = "MP0923"
	InternalFault          ID = "MP0999"
)

var commandIDs = []Info{
	{UnknownCommand, Error, "Unknown command", "The first word after \"memplan\" is none of its commands. \"memplan -help\" lists them."},
	{UnknownFlag, Error, "Unknown flag", "The command has no such flag. \"memplan COMMAND -help\" lists those it has."},
	{InvalidFlag, Error, "Flag without a valid value", "A flag's value is missing or not of the form it needs."},
	{WrongArguments, Error, "Wrong arguments", "The command takes another number of arguments, or these do not go together."},
	{UnknownFileKind, Error, "File of no kind that this command reads", "The file is not a configuration, a graph or a plan, or not the one of these that the command needs."},
	{NobodyToAsk, Error, "Nobody can answer", "apply asks before it changes a lock, and force-unlock before it takes one away, and the input is not a terminal. Give -auto-approve, a saved plan or -force."},
	{NotAccepted, Error, "The plan was not accepted", "The answer was not \"yes\". Nothing was written."},
	{FileNotWritten, Error, "File cannot be written", "Writing a lock, a saved plan, an output or a formatted file failed."},
	{Interrupted, Error, "Interrupted", "The command was stopped before it had a result."},
	{UnexpectedValue, Error, "Output differs from what is expected", "An output of a run is farther from the expected array than the tolerance allows, or of another type or shape."},
	{Unrunnable, Error, "Graph cannot be run here", "The graph's device is plan-only, or no device of this machine runs it."},
	{NotExported, Error, "Plan cannot be exported", "The format that was asked for cannot hold the plan, such as an element type that it does not know or a view that needs offsets."},
	{ExportDiffers, Error, "Exported file differs from the plan", "The file of an export block is not what the configuration plans today, or is not there. \"memplan apply\" writes it."},
	{NoSuchOutput, Error, "No such output", "The configuration declares no output of this name. \"memplan output\" lists those that it has."},
	{OutputHasNoValue, Error, "Output has no value of this form", "The value of an output depends on something that is not known, or cannot be written in the form asked for."},
	{NoTests, Error, "No tests", "There is no file *.memplantest.hcl where tests are looked for, or no run that -filter matches."},
	{TestFailed, Error, "Assertion of a test failed", "The condition of an assert block of a test's run is false for the plan made. The detail is the block's own error message."},
	{TestUndecided, Error, "Assertion of a test is not decided", "The condition of an assert block of a test's run is unknown or null, or there is no plan to assert anything of."},
	{ExpectedFailureMissing, Error, "Expected failure did not happen", "A run of a test lists a block or an id in expect_failures, and nothing failed there."},
	{InternalFault, Error, "memplan failed", "A fault of memplan itself, or of the machine it runs on. Please report it."},
}
