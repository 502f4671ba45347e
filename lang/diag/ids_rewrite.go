package diag

// The ids MP0450 to MP0499. Each is declared once as a constant and once in the table.
var rewriteIDs = []Info{}
