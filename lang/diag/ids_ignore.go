package diag

// Comments that hide warnings: the ids MP0180 to MP0182.
const (
	IgnoreMatchesNothing ID = "MP0180"
	IgnoreMalformed      ID = "MP0181"
	IgnoreOfError        ID = "MP0182"
)

var ignoreIDs = []Info{
	{IgnoreMatchesNothing, Warning, "Nothing to ignore here",
		"A memplan-ignore comment names a warning that does not occur on the line or in the block that it covers. Remove it."},
	{IgnoreMalformed, Warning, "Malformed memplan-ignore comment",
		"A comment that hides a warning is written as \"# memplan-ignore: MP0206 reason\"; several ids have commas between them."},
	{IgnoreOfError, Warning, "Errors cannot be ignored",
		"A memplan-ignore comment names the id of an error. Only warnings can be hidden."},
}
