#!/bin/sh
# Tries memplan-lsp in a headless Neovim. Needs nvim, and go unless MEMPLAN_LSP names a built server.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -n "${MEMPLAN_LSP-}" ]; then
  cp "$MEMPLAN_LSP" "$work/memplan-lsp"
else
  (cd "$here/../.." && go build -o "$work/memplan-lsp" ./cmd/memplan-lsp)
fi
cp "$here/../../examples/sram-banks/keyword.json" "$work/"
{ echo "# memplan"; cat "$here/../../examples/sram-banks/config.hcl"; } > "$work/config.hcl"
cd "$work"
PATH="$work:$PATH" MEMPLAN_EDITOR="$here" timeout 600 nvim --headless -u NONE -i NONE -n -c "luafile $here/smoke.lua"
