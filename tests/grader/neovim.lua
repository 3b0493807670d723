-- Opens FILE, puts TEXT in its place, saves it; writes what Neovim then shows of it to OUT.
local env, severity = vim.env, vim.diagnostic.severity

local function shown(kind)
  return vim.diagnostic.get(0, { severity = kind })
end

vim.cmd("edit " .. env.FILE)
local client = vim.lsp.start_client({
  name = "grader", cmd = { env.PYTHON, "-m", "grader", "lsp" }, root_dir = env.ROOT,
})
vim.lsp.buf_attach_client(0, client)
vim.wait(300000, function() return #shown(severity.HINT) > 0 end, 5)
local stubs = #shown(severity.HINT)
vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.fn.readfile(env.TEXT))
local saved = vim.loop.hrtime()
vim.cmd("write")
vim.wait(300000, function() return #shown(severity.ERROR) > 0 end, 1)
local took = (vim.loop.hrtime() - saved) / 1e6
local faults = {}
for _, each in ipairs(shown(severity.ERROR)) do
  table.insert(faults, { each.lnum + 1, each.source, each.message })
end
vim.fn.writefile({ vim.json.encode({ stubs = stubs, took = took, faults = faults }) }, env.OUT)
vim.lsp.stop_client(client)
vim.cmd("qall!")
