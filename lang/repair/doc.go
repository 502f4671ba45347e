// Package repair makes edits of a configuration's text from the fixes that diagnostics carry. Start from [Edits].
package repair
