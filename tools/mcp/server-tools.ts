import { z } from 'zod'
import { BackendError } from '../../src/core/errors.ts'
import type { Tool, ToolResult } from '../../src/core/tool.ts'
import { type Connection, connectLazily, type ServerChoice } from './connection.ts'
import { foreignLine, plainSchema } from './plain.ts'

const maxTools = 64
const maxText = 20_000 // characters of one answer

export interface ToolServer {
  tools: Tool[]
  close(): Promise<void>
}

// The tools of one MCP server, as tools of ours: NAME_TOOL. What they say is text of strangers, never evidence of the video.
// Unless the settings call the server safe, they run only with the permission "servers".
// A tool may not be called like one of `taken`, or like another of its server.
export async function openToolServer(
  server: ServerChoice & { safe: boolean },
  taken: ReadonlySet<string> = new Set(),
): Promise<ToolServer> {
  const link = connectLazily(server)
  try {
    const listed = await link.use(
      client => client.listTools({}, { timeout: server.startSeconds * 1000 }),
      server.startSeconds,
    )
    if (listed.tools.length > maxTools)
      throw new BackendError(
        `The tool server "${server.name}" has ${listed.tools.length} tools; the limit is ${maxTools}.`,
      )
    const tools = listed.tools.map(tool => asTool(tool, server, link))
    refuseTaken(tools, server.name, taken)
    return { tools, close: link.close }
  } catch (error) {
    await link.close()
    throw error
  }
}

function refuseTaken(tools: readonly Tool[], server: string, taken: ReadonlySet<string>): void {
  const seen = new Set<string>()
  const alike = (name: string) => name.toLowerCase().replace(/[-_]+/g, '_')
  for (const { name } of tools) {
    if (taken.has(alike(name)))
      throw new BackendError(
        `The tool server "${server}" offers a tool that would be called "${name}", as one of longtake is.`,
        {
          hint: `Give the server another name in tools.servers than "${server}".`,
        },
      )
    if (seen.has(alike(name)))
      throw new BackendError(`The tool server "${server}" offers two tools that would both be called "${name}".`, {
        hint: 'Only letters, digits, "_" and "-" are kept of a name; rename one of them on the server.',
      })
    seen.add(alike(name))
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
  const toolName = `${server.name}_${name}`.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64)
  return {
    name: toolName,
    description: `${foreignLine(description ?? name, 800)} (from the tool server "${server.name}", not from the video)`,
    // Only handed on: the server checks its own schema.
    input: z.looseObject({}).meta(plainSchema(inputSchema, toolName)),
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
      const text = readText(result)
      if (result.isError) throw new BackendError(`${toolName} reports: ${foreignLine(text, 500) || 'an error'}`)
      return text
        ? { evidence: [], text, outcome: 'found' }
        : { evidence: [], text: `${toolName} answered without a word.`, outcome: 'nothing' }
    },
  }
}

const ContentPart = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  name: z.string().optional(),
  resource: z.looseObject({ text: z.string().optional() }).optional(),
})
const CallResult = z.looseObject({
  content: z.array(ContentPart).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
})
type CallResult = z.infer<typeof CallResult>

// What it says in words; pictures and sounds are only named.
function readText({ content, structuredContent }: CallResult): string {
  const parts = content.map(
    part => part.text ?? part.resource?.text ?? `[${part.type}${part.name ? ` ${part.name}` : ''}]`,
  )
  if (parts.length === 0 && structuredContent !== undefined) parts.push(JSON.stringify(structuredContent))
  const text = parts
    .join('\n')
    .replace(/[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
  return text.length > maxText ? `${text.slice(0, maxText)}\n(cut after ${maxText} characters)` : text
}
