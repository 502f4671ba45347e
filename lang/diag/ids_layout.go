package diag

// The ids MP06xx. Each is declared once as a constant and once in the table.
var layoutIDs = []Info{}
