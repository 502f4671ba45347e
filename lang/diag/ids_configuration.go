package diag

// The ids MP02xx. Each is declared once as a constant and once in the table.
var configurationIDs = []Info{}
