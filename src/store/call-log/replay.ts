import { readdir, stat } from 'node:fs/promises'
import { type ChatModel, type ChatRequest, decorate, type Modality, type Purpose } from '../../core/chat.ts'
import { absentAs, UsageError } from '../../core/errors.ts'
import { contentHash } from '../../core/json.ts'
import { collectReplies } from '../../core/run/call-record.ts'
import type { Tool } from '../../core/tool.ts'
import { stripSpent } from './record.ts'
import { readCalls } from './resume.ts'
import { readServedTools } from './served-tools.ts'

// The calls of a recorded run in place of its models and tools.
export interface ReplayedCalls {
  folder: string
  model(model: ChatModel): ChatModel
  tool(tool: Tool): Tool
  serversTools(servers: readonly string[]): Tool[] // what these MCP servers offered
  chat(role: string): ChatModel // stands where the model of that role stood
  refuse(what: string): UsageError // something else would have to be asked
  missed: AbortSignal // ends the work at the first miss
  miss(): UsageError | undefined
}

const purposes: Record<string, Purpose[]> = {
  planner: ['plan'],
  writer: ['write', 'outline', 'summarise', 'translate'],
  verifier: ['check', 'rate'],
  vision: ['look'],
  judge: ['judge'],
}

// Every call is answered from the folder; one that failed fails again in the same way, so that what came of it comes again.
export async function replayCalls(folder: string): Promise<ReplayedCalls> {
  const there = await stat(folder).catch(absentAs(undefined))
  if (!there?.isDirectory() || (await readdir(folder)).length === 0)
    throw new UsageError(`There are no recorded calls in ${folder}.`, {
      hint: 'Name a run whose question came to an answer: see "longtake runs ls".',
    })
  const replies = collectReplies(await readCalls(folder, { recursive: true }))
  const served = await readServedTools(folder)
  const ends = new AbortController()
  let first: UsageError | undefined

  const refuse = (what: string) => {
    first ??= new UsageError(`The recorded run has no ${what}.`, {
      hint: 'The video, the settings, the prompts or the code have changed since; ask again without --replay.',
    })
    setImmediate(() => ends.abort(first)) // the caller gets the error first
    return first
  }
  const describeRequest = (request: ChatRequest) => {
    const last = request.messages.at(-1)
    const words = last?.content.map(part => (part.type === 'text' ? part.text : `[${part.type}]`)).join(' ') ?? ''
    return `reply to this "${request.purpose}" call (${contentHash(request).slice(0, 12)}): "${words.slice(0, 120)}"`
  }
  const replay = (model: ChatModel): ChatModel =>
    decorate(model, async (request, signal, onText) => {
      signal.throwIfAborted()
      const reply = replies.chat(request, model.id)
      if (!reply) throw refuse(describeRequest(request))
      if (reply.text) onText?.(reply.text)
      return reply
    })
  return {
    folder,
    model: replay,
    refuse,
    missed: ends.signal,
    miss: () => first,
    serversTools(servers) {
      if (servers.length === 0) return []
      if (!served) throw refuse(`list of the tools of ${servers.join(', ')}`)
      return served
    },
    chat(role) {
      const recordedModel = replies.models.find(model =>
        purposes[role]?.some(purpose => model.purposes.includes(purpose)),
      )
      return replay({
        id: recordedModel?.id ?? 'chat/recorded',
        accepts: new Set<Modality>(recordedModel?.accepts ?? ['text', 'image']),
        reply: () => Promise.reject(new Error('A replayed model was asked itself.')),
      })
    },
    tool: tool => ({
      ...tool,
      async run(input, context) {
        const result = replies.tool({ tool: tool.name, input })
        if (!result) throw refuse(`result of the tool ${tool.name} with ${JSON.stringify(input)}`)
        context.spend(result.spent)
        return stripSpent(result)
      },
    }),
  }
}
