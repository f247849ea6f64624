-- Uses the server as a person does, and writes what the editor then shows to $OUT.
local out = {}
local function done(err)
  if err then out.Error = err end
  vim.fn.writefile({ vim.json.encode(out) }, os.getenv("OUT"))
  vim.cmd("qa!")
end
local function text() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n") end
local function work()
  vim.cmd("edit " .. os.getenv("MODEL"))
  local id = vim.lsp.start_client({ name = "sgppl", cmd = { os.getenv("SERVER") }, root_dir = vim.fn.getcwd() })
  vim.lsp.buf_attach_client(0, id)
  local wait = 60000
  vim.wait(wait, function() return #vim.diagnostic.get(0) > 0 end, 20)
  out.Diagnostics = {}
  for _, d in ipairs(vim.diagnostic.get(0)) do
    table.insert(out.Diagnostics, { Line = d.lnum, Column = d.col, Code = d.code or d.user_data.lsp.code })
  end
  vim.fn.search("eta\\[n")
  local params = vim.lsp.util.make_position_params()
  local hover = vim.lsp.buf_request_sync(0, "textDocument/hover", params, wait)
  out.Hover = hover[id].result.contents.value
  vim.lsp.buf.definition()
  vim.wait(wait, function() return vim.api.nvim_win_get_cursor(0)[1] == 8 end, 20)
  out.Definition = vim.api.nvim_win_get_cursor(0)
  local last = vim.api.nvim_buf_line_count(0)
  vim.api.nvim_buf_set_text(0, last - 1, 8, last - 1, #vim.api.nvim_buf_get_lines(0, last - 1, last, false)[1], { "b + 1" })
  vim.wait(wait, function() return #vim.diagnostic.get(0) == 0 end, 20)
  out.Left = #vim.diagnostic.get(0)
  vim.fn.cursor(1, 1)
  vim.fn.search("w\\[P")
  vim.lsp.buf.rename("slope")
  vim.wait(wait, function() return text():find("slope") ~= nil end, 20)
  out.Renamed = text()
  if vim.lsp.buf.format then vim.lsp.buf.format({ timeout_ms = wait }) else vim.lsp.buf.formatting_sync(nil, wait) end
  out.Formatted = text()
  vim.lsp.stop_client(id)
end
local ok, err = pcall(work)
done(not ok and tostring(err) or nil)
