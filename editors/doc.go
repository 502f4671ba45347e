// Package editors tests what the directories beside it give to editors: settings, grammars and the extension of Visual
// Studio Code. It holds no code of its own.
package editors
