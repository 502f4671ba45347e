package diag

// The ids MP0350 to MP0399: TFLite, native and interval files. Each is declared once as a constant and once in the
// table.
var fileIDs = []Info{}
