#!/bin/sh
# Tries memplan-lsp in a batch Emacs. Needs emacs with eglot, and go unless MEMPLAN_LSP names a built server.
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
cp "$here/../../examples/sram-banks/config.hcl" "$work/config.memplan.hcl"
cd "$work"
PATH="$work:$PATH" timeout 600 emacs -q --batch -l "$here/smoke.el"
