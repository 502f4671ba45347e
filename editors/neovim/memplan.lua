-- memplan in Neovim 0.7 and later. Put this file into a directory "lua" of the runtime path and call
-- require("memplan").setup() from init.lua.
local M = {}

-- is_memplan tells configurations of memplan from other HCL: by name, or by a first line "# memplan".
local function is_memplan(buffer)
  local name = vim.api.nvim_buf_get_name(buffer)
  if name:match("%.memplan%.hcl$") or name:match("%.memplanvars%.hcl$") or name:match("memplan%.vars%.hcl$") then
    return true
  end
  local first = vim.api.nvim_buf_get_lines(buffer, 0, 1, false)[1] or ""
  return name:match("%.hcl$") ~= nil and first:match("^#%s*memplan") ~= nil
end

-- options: cmd, the command of the server; on_attach, a function of client and buffer.
function M.setup(options)
  options = options or {}
  local client
  local function attach(buffer)
    if not is_memplan(buffer) then
      return
    end
    vim.api.nvim_buf_set_option(buffer, "filetype", "hcl")
    vim.api.nvim_buf_set_option(buffer, "commentstring", "# %s")
    if not client then
      client = vim.lsp.start_client({
        name = "memplan",
        cmd = options.cmd or { "memplan-lsp" },
        root_dir = vim.fn.getcwd(),
        on_attach = options.on_attach,
        on_exit = function()
          client = nil
        end,
      })
    end
    if client then
      vim.lsp.buf_attach_client(buffer, client)
    end
  end
  vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile" }, {
    pattern = "*.hcl",
    callback = function(event)
      attach(event.buf)
    end,
  })
end

return M
