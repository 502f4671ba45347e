package diag

// The ids MP08xx. Each is declared once as a constant and once in the table.
var runIDs = []Info{}
