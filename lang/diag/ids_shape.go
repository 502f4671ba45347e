package diag

// The ids MP04xx. Each is declared once as a constant and once in the table.
var shapeIDs = []Info{}
