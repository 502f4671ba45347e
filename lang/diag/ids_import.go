package diag

// The ids MP03xx. Each is declared once as a constant and once in the table.
var importIDs = []Info{}
