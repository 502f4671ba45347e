package diag

// The ids MP07xx. Each is declared once as a constant and once in the table.
const (
	PlanSyntax   ID = "MP0701"
	NotAPlanFile ID = "MP0702"
	PlanVersion  ID = "MP0703"
	InvalidPlan  ID = "MP0704"
	StalePlan    ID = "MP0705"
	LockHeld     ID = "MP0706"
	LockDiffers  ID = "MP0707"
	LockMissing  ID = "MP0708"

	UnknownPlanTensor ID = "MP0709"
	UnknownPlanGraph  ID = "MP0710"

	LockAltered   ID = "MP0711"
	ValueWithheld ID = "MP0712"
)

var planIDs = []Info{
	{PlanSyntax, Error, "Plan file is not valid JSON", "A lock or saved plan was damaged or holds the marks of a merge conflict. Restore it, or delete it and apply again."},
	{NotAPlanFile, Error, "File is not a plan", "The file is JSON, but neither a lock nor a saved plan. Name one that memplan wrote."},
	{PlanVersion, Error, "Plan is of another format version", "The file was written by a memplan whose format this one does not read. Use that memplan, or apply again."},
	{InvalidPlan, Error, "Plan contradicts its format", "A member of a lock or saved plan is missing, unknown, of the wrong type, or names something that is not there."},
	{StalePlan, Error, "Saved plan is stale", "The configuration, a graph file, a setting or the lock changed after the plan was saved. Plan again and review the change."},
	{LockHeld, Error, "Lock file is in use", "Another memplan is writing the same lock. Wait for it to finish. Or the right to write it was taken away while this command had it: run it again."},
	{LockDiffers, Error, "Lock differs from the plan", "What the configuration plans today is not what was accepted. Review it with \"memplan plan\" and accept it with \"memplan apply\"."},
	{LockMissing, Error, "There is no lock file", "Nothing was accepted yet. Run \"memplan apply\" and commit the lock it writes."},
	{UnknownPlanTensor, Error, "No such tensor in the plan", "\"memplan show -tensor\" or an editor asks for a tensor that the plan does not have. \"memplan show\" lists all of them."},
	{UnknownPlanGraph, Error, "No such graph in the plan", "\"memplan show -graph\" or \"memplan export -graph\" names a graph that the plan does not have."},
	{LockAltered, Error, "Lock was altered", "The lock is not what memplan made of the same files and settings: it was edited or merged by hand. Restore it from version control."},
	{ValueWithheld, Error, "Saved plan lacks a sensitive value", "A saved plan holds no values of sensitive variables. Give those that it was made with to apply again, with -var or in the environment."},
}
