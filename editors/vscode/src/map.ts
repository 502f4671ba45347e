import * as path from "path";
import * as vscode from "vscode";

import type { Target } from "./extension";

let panel: vscode.WebviewPanel | undefined;

// showMap shows the memory map of a configuration in one panel beside it. The picture runs no scripts and loads nothing.
export function showMap(target: Target | undefined, svg: string): void {
  if (!panel) {
    panel = vscode.window.createWebviewPanel("memplan.map", "Memory map", { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, { enableScripts: false });
    panel.onDidDispose(() => (panel = undefined));
  }
  const name = target?.pool ?? target?.graph ?? (target ? path.posix.basename(vscode.Uri.parse(target.uri).path) : "");
  panel.title = `Memory map: ${name}`;
  panel.webview.html = page(svg);
  panel.reveal(undefined, true);
}

function page(svg: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>body { margin: 0; overflow: auto } svg { display: block; max-width: 100%; height: auto }</style>
</head>
<body>${svg}</body>
</html>`;
}
