import { z } from 'zod'
import { BackendError } from '../../../../src/core/errors.ts'
import { listOperations } from '../../../../src/runtime/operations/index.ts'
import { parseStoredJson } from '../../../../src/store/read-file.ts'
import { type AgentProcess, splitCommand, withAgent } from './agent-process.ts'
import type { Answerer } from './answerer.ts'
import { type AskHost, askCommand, checkCommandHost } from './command-host.ts'
import type { ServedTools } from './served-tools.ts'

// An agent that speaks the Agent Client Protocol over stdio, version 1. Each question is a session of a process of its own.
const acp: Answerer = {
  check: checkCommandHost,
  open: (asking, folder) => askCommand(asking, folder, askAcpAgent),
}
export default acp

export const askAcpAgent: AskHost = (command, text, tools, limits) =>
  withAgent({ words: splitCommand(command), folder: tools.folder, ...limits }, agent =>
    new AcpSession(agent).ask(text, tools),
  )

const protocolVersion = 1
const harmlessKinds = new Set(['read', 'search', 'fetch', 'think', 'other'])
const names = ['list_videos', ...listOperations().map(({ name }) => name)].join('|')
const ownTitle = new RegExp(
  `^(?:mcp__)?longtake[\\s:_./-]+(?:${names})\\b|^(?:${names})\\b[^/\\\\]*\\(longtake\\b`,
  'i',
)

// As agents title a call of a tool of ours: "mcp__longtake__find", "longtake: find", "find (longtake MCP Server)". A command or a path that
// only holds the word is none: agents title a command by itself, and not all of them say that it is one.
export function isOwnTool(title: string, kind: string): boolean {
  const at = title.indexOf('{')
  const hasArguments = at >= 0 && parseStoredJson(title.slice(at)) !== undefined
  const name = (hasArguments ? title.slice(0, at) : title).trim()
  return harmlessKinds.has(kind) && ownTitle.test(name) && !/[;&|<>`$\n\r]/.test(name)
}

const maxLine = 8e6 // characters

const Message = z.object({
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
})
const Initialized = z.object({ protocolVersion: z.number() })
const NewSession = z.object({ sessionId: z.string() })
const stated = z.number().min(0).catch(0) // tokens or money; below nothing would give back what others have cost
const Prompted = z.object({
  stopReason: z.string(),
  usage: z.object({ inputTokens: stated, outputTokens: stated }).nullish(),
})
const Update = z.object({
  update: z.discriminatedUnion('sessionUpdate', [
    z.object({
      sessionUpdate: z.literal('agent_message_chunk'),
      content: z.object({ type: z.string(), text: z.string().default('') }),
    }),
    z.object({ sessionUpdate: z.literal('tool_call') }),
    z.object({ sessionUpdate: z.literal('usage_update'), cost: z.object({ amount: stated }).nullish() }),
  ]),
})
const Permission = z.object({
  toolCall: z.object({ title: z.string().nullish(), kind: z.string().nullish() }),
  options: z.array(z.object({ optionId: z.string(), kind: z.string() })),
})

class AcpSession {
  readonly #agent: AgentProcess
  readonly #waiting = new Map<number, { resolve(result: unknown): void; reject(error: unknown): void }>()
  #requests = 0
  #line = ''
  #text = '' // since its last call of a tool: what it said before is not the answer
  #money = 0
  #refused: string | undefined // what it asked permission for

  constructor(agent: AgentProcess) {
    this.#agent = agent
    agent.onOutput(piece => this.#take(piece))
    agent.ended.then(
      () => this.#fail(new BackendError('The agent ended before it had answered.')),
      error => this.#fail(error),
    )
  }

  async ask(text: string, { command, args, env, folder }: ServedTools) {
    const { protocolVersion: theirs } = await this.#request(
      'initialize',
      {
        protocolVersion,
        clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
        clientInfo: { name: 'longtake', version: String(protocolVersion) },
      },
      Initialized,
    )
    if (theirs !== protocolVersion)
      throw new BackendError(`The agent speaks version ${theirs} of the Agent Client Protocol, longtake version 1.`)
    const variables = Object.entries(env).map(([name, value]) => ({ name, value }))
    const mcpServers = [{ name: 'longtake', command, args, env: variables }]
    const { sessionId } = await this.#request('session/new', { cwd: folder, mcpServers }, NewSession)
    const prompt = { sessionId, prompt: [{ type: 'text', text }] }
    const { stopReason, usage } = await this.#request('session/prompt', prompt, Prompted)
    if (this.#text.trim() === '') {
      const refused =
        this.#refused === undefined ? '' : ` It asked for permission to ${this.#refused}, which a run does not give.`
      throw new BackendError(`The agent gave no answer: its turn ended with "${stopReason}".${refused}`)
    }
    return { text: this.#text, usage: { ...usage, money: this.#money } }
  }

  #request<Result>(method: string, params: object, shape: z.ZodType<Result>): Promise<Result> {
    const id = ++this.#requests
    const replied = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
    this.#send({ id, method, params })
    return replied.then(result => {
      const parsed = shape.safeParse(result)
      if (parsed.success) return parsed.data
      throw new BackendError(`The agent replied to ${method} with something that is not of the protocol.`)
    })
  }

  #send(message: object): void {
    this.#agent.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  #take(piece: string): void {
    this.#line += piece
    const lines = this.#line.split('\n')
    this.#line = lines.pop() ?? ''
    for (const line of lines) if (line.trim() !== '') this.#hear(line)
    if (this.#line.length > maxLine)
      this.#fail(new BackendError(`The agent wrote a line of more than ${maxLine / 1e6} million characters.`))
  }

  // What is not a message of the protocol is skipped: some agents write their log to stdout.
  #hear(line: string): void {
    const { data } = Message.safeParse(parseStoredJson(line))
    if (!data) return
    const { id, method, params, result, error } = data
    if (method !== undefined) this.#serve(method, id, params)
    else this.#settle(Number(id), error, result)
  }

  #serve(method: string, id: number | string | undefined, params: unknown): void {
    if (method === 'session/update') this.#update(params)
    else if (id === undefined) return
    else if (method === 'session/request_permission') this.#decide(id, params)
    else this.#send({ id, error: { code: -32601, message: `longtake does not offer ${method}.` } })
  }

  #settle(id: number, error: { message: string } | undefined, result: unknown): void {
    const request = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error) request?.reject(new BackendError(`The agent replied with an error: ${error.message.slice(0, 300)}`))
    else request?.resolve(result)
  }

  #update(params: unknown): void {
    const update = Update.safeParse(params).data?.update
    if (update?.sessionUpdate === 'agent_message_chunk') this.#text += update.content.text
    if (update?.sessionUpdate === 'usage_update') this.#money = update.cost?.amount ?? this.#money
    if (update?.sessionUpdate === 'tool_call') this.#text = ''
  }

  // Our own tools only read, so that they are allowed; everything else is refused.
  #decide(id: number | string, params: unknown): void {
    const { toolCall, options = [] } = Permission.safeParse(params).data ?? {}
    const title = toolCall?.title ?? 'something'
    const isOurs = isOwnTool(title, toolCall?.kind ?? 'other')
    if (!isOurs) this.#refused = title.slice(0, 100)
    const wantedKind = isOurs ? 'allow_once' : 'reject_once'
    const { optionId } = options.find(({ kind }) => kind === wantedKind) ?? {}
    const outcome = optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId }
    this.#send({ id, result: { outcome } })
  }

  #fail(error: unknown): void {
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
