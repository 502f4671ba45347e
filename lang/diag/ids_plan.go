package diag

// The ids MP07xx. Each is declared once as a constant and once in the table.
var planIDs = []Info{}
