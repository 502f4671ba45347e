package array

// table has every kernel by the op's name. It is never changed.
var table = map[string]entry{}
