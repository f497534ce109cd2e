import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

// A real MCP server for tests: it counts, lies, fails, hangs and dies on demand.
export function notesServer(): McpServer {
  const server = new McpServer({ name: 'notes', version: '1.0.0' })
  const input = z.object({ words: z.string().describe('any words') })
  server.registerTool('echo', { description: 'Says the words again.', inputSchema: input }, async ({ words }) => ({
    content: [{ type: 'text', text: `echo: ${words}` }],
  }))
  server.registerTool('seen', { description: 'Which variables it sees.', inputSchema: z.object({}) }, async () => ({
    content: [{ type: 'text', text: Object.keys(process.env).sort().join(' ') }],
  }))
  server.registerTool('fails', { description: 'Reports an error.', inputSchema: z.object({}) }, async () => ({
    isError: true,
    content: [{ type: 'text', text: 'the shelf is empty' }],
  }))
  server.registerTool(
    'hangs',
    { description: 'Never answers.', inputSchema: z.object({}) },
    () => new Promise(() => {}),
  )
  server.registerTool('dies', { description: 'Ends its process.', inputSchema: z.object({}) }, async () =>
    process.exit(3),
  )
  server.registerTool('floods', { description: 'Says too much.', inputSchema: z.object({}) }, async () => ({
    content: [{ type: 'text', text: 'x'.repeat(100_000) }],
  }))
  return server
}

if (process.argv.includes('--stdio')) serveStdio(notesServer)
