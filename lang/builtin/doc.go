// Package builtin holds the builtin modules, which configurations use as "builtin:NAME": profiles of devices with rules,
// as configurations like any other. Start from [Source]. The package does not read what the modules say.
package builtin
