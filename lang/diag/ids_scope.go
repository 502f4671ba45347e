package diag

// The ids MP05xx. Each is declared once as a constant and once in the table.
var scopeIDs = []Info{}
