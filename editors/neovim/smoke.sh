#!/bin/sh
# Tries memplan-lsp in a headless Neovim. Needs nvim and go.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$here/../.." && go build -o "$work/memplan-lsp" ./cmd/memplan-lsp)
cp "$here/../../examples/sram-banks/keyword.json" "$work/"
{ echo "# memplan"; cat "$here/../../examples/sram-banks/config.hcl"; } > "$work/config.hcl"
cd "$work"
PATH="$work:$PATH" MEMPLAN_EDITOR="$here" timeout 60 nvim --headless -u NONE -i NONE -n -c "luafile $here/smoke.lua"
