import { z } from 'zod'
import { BackendError } from '../../src/core/errors.ts'
import type { Tool, ToolResult } from '../../src/core/tool.ts'
import { type Connection, connection, type ServerChoice } from './connection.ts'

const mostTools = 64
const longestText = 20_000 // characters of one answer

export interface ToolServer {
  tools: Tool[]
  close(): Promise<void>
}

// The tools of one MCP server, as tools of ours: NAME_TOOL. What they say is text of strangers, never evidence of the video.
// Unless the settings call the server safe, they run only with the permission "servers".
export async function openToolServer(server: ServerChoice & { safe: boolean }): Promise<ToolServer> {
  const link = connection(server)
  try {
    const listed = await link.use(client => client.listTools({}, { timeout: server.startSeconds * 1000 }))
    if (listed.tools.length > mostTools)
      throw new BackendError(
        `The tool server "${server.name}" has ${listed.tools.length} tools; ${mostTools} are the most.`,
      )
    return { tools: listed.tools.map(tool => asTool(tool, server, link)), close: link.close }
  } catch (error) {
    await link.close()
    throw error
  }
}

interface Listed {
  name: string
  description?: string
  inputSchema: object
}

function asTool(
  { name, description, inputSchema }: Listed,
  server: ServerChoice & { safe: boolean },
  link: Connection,
): Tool {
  const shown = `${server.name}_${name}`.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64)
  return {
    name: shown,
    description: `${plain(description ?? name, 800)} (from the tool server "${server.name}", not from the video)`,
    // Only handed on: the server checks its own schema, and a pattern of a stranger is not run here.
    input: z.looseObject({}).meta(inputSchema as Record<string, unknown>),
    ...(server.safe ? {} : { danger: 'servers' as const }),
    varies: true,
    async run(input, { signal }): Promise<ToolResult> {
      const answered = await link.use(client =>
        client.callTool(
          { name, arguments: input as Record<string, unknown> },
          { signal, timeout: server.seconds * 1000, maxTotalTimeout: server.seconds * 1000 },
        ),
      )
      const result = CallResult.parse(answered)
      const text = textOf(result)
      if (result.isError) throw new BackendError(`${shown} reports: ${plain(text, 500) || 'an error'}`)
      return text
        ? { evidence: [], text, outcome: 'found' }
        : { evidence: [], text: `${shown} answered without a word.`, outcome: 'nothing' }
    },
  }
}

const Part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  name: z.string().optional(),
  resource: z.looseObject({ text: z.string().optional() }).optional(),
})
const CallResult = z.looseObject({
  content: z.array(Part).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
})
type CallResult = z.infer<typeof CallResult>

// What it says in words; pictures and sounds are only named.
function textOf({ content, structuredContent }: CallResult): string {
  const parts = content.map(
    part => part.text ?? part.resource?.text ?? `[${part.type}${part.name ? ` ${part.name}` : ''}]`,
  )
  if (parts.length === 0 && structuredContent !== undefined) parts.push(JSON.stringify(structuredContent))
  const text = parts
    .join('\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim()
  return text.length > longestText ? `${text.slice(0, longestText)}\n(cut after ${longestText} characters)` : text
}

function plain(text: string, most: number): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return line.length > most ? `${line.slice(0, most)}...` : line
}
