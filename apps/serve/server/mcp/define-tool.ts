import type {
  CallToolResult,
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
  ToolAnnotations,
} from '@modelcontextprotocol/server'
import type { z } from 'zod'
import type { Job } from '../../../../src/core/api/job.ts'
import type { OperationReply } from '../../../../src/core/operation-reply.ts'
import { readInput, replyText } from '../../../../src/runtime/operations/index.ts'
import type { Workplace } from '../../work/workplace.ts'
import { toolErrorText } from './errors.ts'
import { declaresTasks, taskFromJob } from './tasks.ts'

// What the doors of one process share.
export interface Desk {
  place: Workplace
  version: string
  waiting: number // seconds after which a question is handed over as a job
  undelivered: Set<string> // jobs that were begun here and whose end nobody was told
  only?: string // the id or name of the one video that is served, the only one to be read
  record?(call: RecordedToolCall): Promise<void>
}

// A call of a tool as "--record" writes it.
export interface RecordedToolCall {
  tool: string
  input: unknown
  failed: boolean
  pictures: number
  seconds: number
}

// What a tool has for one call.
export interface McpContext extends Desk {
  began: number // when the call came, in milliseconds
  signal: AbortSignal // the client has gone, or no longer waits
  takesTasks: boolean
  say(message: string): void // progress
}

export interface McpReply extends OperationReply {
  failed?: boolean
  task?: Job // handed over as one
}

interface ToolSpec<Input extends z.ZodObject> {
  name: string
  description: string
  input: Input
  annotations: ToolAnnotations
  run(input: z.output<Input>, work: McpContext): Promise<McpReply>
}

export interface McpTool {
  name: string
  register(server: McpServer, desk: Desk): void
}

// A tool as the SDK takes it: its input is checked, it tells of its progress, and what it throws becomes an error of the call with
// the next step.
export function defineMcpTool<Input extends z.ZodObject>(tool: ToolSpec<Input>): McpTool {
  const { name, description, annotations } = tool
  return {
    name,
    register(server, desk) {
      const inputSchema = withShortSchema(tool.input.strict())
      server.registerTool(name, { description, inputSchema, annotations }, async (input, context) => {
        const mcpContext = openWork(desk, context, name)
        const run = async () => tool.run(readInput(tool.input, input), mcpContext)
        const result = await run().then(toToolResult, toErrorResult)
        const pictures = result.content.filter(({ type }) => type === 'image').length
        const seconds = (Date.now() - mcpContext.began) / 1000
        await desk.record?.({ tool: name, input, failed: result.isError === true, pictures, seconds })
        return result
      })
    },
  }
}

// Every host pays for the list in every conversation: what says nothing is left out of the schema of each tool. The tool checks what it
// is given itself, as its refusals name the next step.
function withShortSchema(input: z.ZodObject): StandardSchemaWithJSON<unknown, unknown> {
  const { jsonSchema, ...standard } = input['~standard']
  const shorten = ({ $schema, ...schema }: Record<string, unknown>) =>
    JSON.parse(JSON.stringify(schema, (_, value) => (value === Number.MAX_SAFE_INTEGER ? undefined : value)))
  return {
    '~standard': {
      ...standard,
      validate: value => ({ value }),
      jsonSchema: { ...jsonSchema, input: options => shorten(jsonSchema.input(options)) },
    },
  }
}

function openWork(desk: Desk, context: ServerContext, name: string): McpContext {
  const began = Date.now()
  const say = progress(context)
  say(name)
  return { ...desk, began, signal: context.mcpReq.signal, takesTasks: declaresTasks(context), say }
}

function toErrorResult(error: unknown): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: toolErrorText(error) }] }
}

// Each word stands once. There is no structured content: a host that has it shows its model only that, or both.
export function toToolResult({ pictures = [], sound, failed, task, ...reply }: McpReply): CallToolResult {
  return {
    content: [
      { type: 'text', text: replyText(reply) },
      ...pictures.map(jpeg => ({ type: 'image' as const, data: base64(jpeg), mimeType: 'image/jpeg' })),
      ...(sound ? [{ type: 'audio' as const, data: base64(sound), mimeType: 'audio/wav' }] : []),
    ],
    ...(failed && { isError: true }),
    ...(task && taskFromJob(task)),
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

// Tells a client that asked for it that the call goes on. Clients begin their time-out anew with each.
function progress({ mcpReq }: ServerContext): (message: string) => void {
  const progressToken = mcpReq._meta?.progressToken
  let count = 0
  return message => {
    if (progressToken === undefined || mcpReq.signal.aborted) return
    const params = { progressToken, progress: ++count, message }
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {}) // the client has gone
  }
}
