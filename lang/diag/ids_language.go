package diag

// The ids MP01xx. Each is declared once as a constant and once in the table.
var languageIDs = []Info{}
