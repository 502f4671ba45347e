package diag

// The ids MP09xx. Each is declared once as a constant and once in the table.
var commandIDs = []Info{}
