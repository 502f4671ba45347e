-- Run by smoke.sh.
-- patience is how many milliseconds a wait may take: how soon the server answers is not tested.
local patience = 60000

local function check(ok, what)
  if not ok then
    io.stdout:write("FAILED: " .. what .. "\n")
    vim.cmd("cquit 1")
  end
  io.stdout:write("ok: " .. what .. "\n")
end

package.path = os.getenv("MEMPLAN_EDITOR") .. "/?.lua;" .. package.path
require("memplan").setup()
vim.cmd("edit config.hcl")
local buffer = vim.api.nvim_get_current_buf()
check(vim.wait(patience, function()
  local client = vim.lsp.get_active_clients()[1]
  return client ~= nil and client.initialized
end), "the server is running")

-- line finds the first line with a text.
local function line(text)
  for i, l in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    if l:find(text, 1, true) then
      return i - 1, l
    end
  end
end

local function ask(method, row, column)
  local params = { textDocument = vim.lsp.util.make_text_document_params(buffer), position = { line = row, character = column } }
  local answers = vim.lsp.buf_request_sync(buffer, method, params, patience) or {}
  for _, answer in pairs(answers) do
    return answer.result
  end
end

local row = line('pool "dtcm"')
check(vim.wait(patience, function()
  local hover = ask("textDocument/hover", row, 7)
  return hover ~= nil and hover.contents.value:find("peak", 1, true) ~= nil
end, 50), "hovering over a pool shows its peak")

local at, text = line("device = device.mcu")
vim.api.nvim_buf_set_lines(buffer, at, at + 1, false, { "  # 😀", '  device = device.mcx # 😀' })
check(vim.wait(patience, function()
  return #vim.diagnostic.get(buffer) == 1
end, 20), "one mistake gives one diagnostic")
local found = vim.diagnostic.get(buffer)[1]
check(found.lnum == at + 1 and found.col == 11 and found.end_col == 21, "it stands where the mistake is")
vim.api.nvim_buf_set_lines(buffer, at, at + 2, false, { text })
check(vim.wait(patience, function()
  return #vim.diagnostic.get(buffer) == 0
end, 20), "it goes away when the mistake does")

check(#ask("textDocument/documentSymbol", 0, 0) > 5, "the symbols of the file")
check(ask("textDocument/definition", at, 19)[1].range.start.line == line('device "mcu"'), "the definition of a device")
vim.cmd("edit! | set buftype=nofile")
vim.lsp.stop_client(vim.lsp.get_active_clients())
check(vim.wait(patience, function()
  return #vim.lsp.get_active_clients() == 0
end), "the server stops")
vim.cmd("qall!")
