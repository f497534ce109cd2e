import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageFolder } from '../../../../src/cli/version.ts'
import type { Question, Step, StopReason } from '../../../../src/core/agent.ts'
import { toProblem } from '../../../../src/core/api/problem.ts'
import { untilAborted, withDeadline } from '../../../../src/core/basics/signals.ts'
import type { SightBrief } from '../../../../src/core/brief.ts'
import {
  addUsage,
  type ChatMessage,
  type ChatModel,
  type ContentPart,
  decorate,
  emptyUsage,
  type ToolCall,
  textContent,
  type Usage,
} from '../../../../src/core/chat.ts'
import { BackendError, StorageError, UsageError } from '../../../../src/core/errors.ts'
import type { VideoMemory } from '../../../../src/core/operation.ts'
import type { OperationReply } from '../../../../src/core/operation-reply.ts'
import { formatMoment } from '../../../../src/core/time.ts'
import { fence } from '../../../../src/core/words/fence.ts'
import { visibleFileName } from '../../../../src/core/words/visible-text.ts'
import type { RuntimeVideo } from '../../../../src/runtime/ask.ts'
import { runtimeMemory } from '../../../../src/runtime/memory.ts'
import { rolePrices, usageCost } from '../../../../src/runtime/models/prices.ts'
import { isSelfContained } from '../../../../src/runtime/models/role-families.ts'
import { callOperation, listOperations, replyText } from '../../../../src/runtime/operations/index.ts'
import type { AskResult } from '../agent.ts'
import { callFolder, questionCalls } from '../call-folder.ts'
import type { RunContext } from '../run-context.ts'
import type { Answerer } from './answerer.ts'
import { checkToolUse } from './check-tool-use.ts'
import { hostQuestion, readHostAnswer } from './host-words.ts'
import { openForHost } from './over-index.ts'

const listVideos = {
  name: 'list_videos',
  description: 'The videos of the library: name, id, length, state.',
  input: { type: 'object', properties: {}, additionalProperties: false },
}

// models.planner in the simplest loop: the tools of a host, and the skill as its system prompt. No policy and no check.
const host: Answerer = {
  async check(parts) {
    if (await isSelfContained('planner', parts.settings.models.planner.backend))
      throw new UsageError('--by host asks a language model that calls tools, and models.planner is none.', {
        hint: 'Set one: --model NAME, or --set models.planner.backend=NAME.',
      })
    checkToolUse(parts, [listVideos, ...listOperations()])
  },
  open: (asking, folder) => ({
    open: (path, options) =>
      openForHost(asking, { path, folder, ...options }, (video, { question, key, turns, signal }) => {
        const conversation = new HostConversation({ asking, video, folder: callFolder(folder, key), signal })
        return conversation.answer(hostQuestion(question, turns, video.index.video), question)
      }),
  }),
}
export default host

interface ConversationParts {
  asking: RunContext
  video: RuntimeVideo
  folder: string // its calls are kept there
  signal: AbortSignal
}

class HostConversation {
  readonly #parts: ConversationParts
  readonly #steps: Step[] = []
  readonly #times: number[][] = [] // of the frames in each picture that was shown
  readonly #began = performance.now()
  #usage: Usage = emptyUsage

  constructor(parts: ConversationParts) {
    this.#parts = parts
  }

  async answer(text: string, question: Question): Promise<AskResult> {
    const { runtime } = this.#parts.asking
    const { budget } = runtime.settings
    const deadline = withDeadline(
      budget.seconds,
      this.#parts.signal,
      () => new BackendError(`The host gave no answer in ${budget.seconds} s (budget.seconds).`),
    )
    try {
      const log = questionCalls(this.#parts.asking, this.#parts.folder)
      const planner = this.#counted(log.model((await runtime.models.open('planner')).service), 'planner')
      const memory = this.#memory(log.model, deadline.signal)
      const messages: ChatMessage[] = [
        { role: 'system', content: textContent(await readSkill()) },
        { role: 'user', content: textContent(text) },
      ]
      const tools = [listVideos, ...listOperations()].map(({ input, ...card }) => ({ ...card, parameters: input }))
      let stop: StopReason = 'answered'
      for (let round = 0; ; round++) {
        const limit = this.#reachedLimit(round)
        if (limit) {
          stop = limit
          messages.push({
            role: 'user',
            content: textContent('The budget is used up. Answer now, from what you have.'),
          })
        }
        const request = {
          purpose: 'plan' as const,
          messages: [...messages],
          tools,
          toolChoice: limit ? ('none' as const) : ('auto' as const),
          ...(this.#times.length > 0 && { brief: this.#brief() }),
        }
        const reply = await untilAborted(planner.reply(request, deadline.signal), deadline.signal)
        if (reply.calls.length === 0 || limit) {
          if (reply.text.trim() === '')
            throw new BackendError(
              `The host gave no answer: its last message is empty after ${round} rounds of tool calls.`,
            )
          return this.#result(reply.text, question, { stop, by: planner.id })
        }
        messages.push({ role: 'assistant', content: textContent(reply.text), calls: reply.calls })
        for (const call of reply.calls)
          messages.push({
            role: 'tool',
            call: call.id,
            name: call.name,
            content: await this.#call(call, { round, memory, planner }),
          })
      }
    } finally {
      deadline.clear()
    }
  }

  #result(text: string, question: Question, { stop, by }: { stop: StopReason; by: string }): AskResult {
    const { index } = this.#parts.video
    const seconds = (performance.now() - this.#began) / 1000
    return {
      ...readHostAnswer(text, question, { video: index.video, by }),
      steps: this.#steps,
      usage: { ...this.#usage, seconds },
      stop,
      frames: [],
      indexed: [],
    }
  }

  // One video, whose index is open already. What its operations ask of models is recorded and counted as well.
  #memory(record: (model: ChatModel) => ChatModel, signal: AbortSignal): VideoMemory {
    const { asking, video } = this.#parts
    const memory = runtimeMemory(asking.runtime, async (_, work) => work(video.index), signal)
    const counted = (role: 'vision' | 'verifier') => async () => {
      const { by, service } = await asking.runtime.models.open(role)
      return { by, service: this.#counted(record(service), role) }
    }
    return {
      ...memory,
      videos: async () => [video.index.video],
      context(index) {
        const context = memory.context(index)
        return {
          ...context,
          services: { ...context.services, vision: counted('vision'), verifier: counted('verifier') },
        }
      },
    }
  }

  #counted(model: ChatModel, role: 'planner' | 'vision' | 'verifier'): ChatModel {
    const price = rolePrices(this.#parts.asking.runtime.settings)[role]
    return decorate(model, async (request, signal) => {
      const reply = await model.reply(request, signal)
      const frames =
        role === 'planner' ? 0 : countPictures(request.messages.flatMap<ContentPart>(({ content }) => content))
      this.#usage = addUsage(this.#usage, { ...reply.usage, calls: 1, frames, money: usageCost(reply.usage, price) })
      return reply
    })
  }

  #reachedLimit(round: number): StopReason | undefined {
    const { budget } = this.#parts.asking.runtime.settings
    const { inputTokens, outputTokens, money } = this.#usage
    if (round >= budget.steps) return 'steps'
    if (inputTokens + outputTokens >= budget.tokens) return 'tokens'
    return budget.money !== undefined && money >= budget.money ? 'money' : undefined
  }

  async #call(
    { name, arguments: input }: ToolCall,
    { round, memory, planner }: { round: number; memory: VideoMemory; planner: ChatModel },
  ): Promise<ContentPart[]> {
    const began = performance.now()
    let outcome: Step['outcome'] = 'found'
    let content: ContentPart[]
    try {
      const reply = name === listVideos.name ? this.#list() : await callOperation(name, input, memory)
      content = [...textContent(replyText(reply)), ...this.#shown(reply, planner)]
    } catch (error) {
      memory.signal.throwIfAborted()
      if (error instanceof StorageError) throw error
      outcome = 'failed'
      const { message, hint = '' } = toProblem(error).problem.error
      content = textContent(fence('error', `${message} ${hint}`))
    }
    const seconds = (performance.now() - began) / 1000
    this.#steps.push({ round, tool: name, input, outcome, evidence: [], notes: [], seconds })
    return content
  }

  // No language model sees it: it says what stands in the pictures, for the record.
  #brief(): SightBrief {
    const { id, name } = this.#parts.video.index.video
    return { kind: 'sight', video: { id, name }, task: 'look', pictures: [...this.#times] }
  }

  #list(): OperationReply {
    const { name, id, duration } = this.#parts.video.index.video
    return { head: '1 video.', lines: [`${visibleFileName(name)} (${id}) ${formatMoment(duration)} ready`] }
  }

  #shown({ pictures = [], times = [], sound }: OperationReply, { accepts }: ChatModel): ContentPart[] {
    const framesLeft = this.#parts.asking.runtime.settings.budget.frames - this.#usage.frames
    const shownPictures = accepts.has('image') ? pictures.slice(0, Math.max(0, framesLeft)) : []
    this.#usage = addUsage(this.#usage, { frames: shownPictures.length })
    this.#times.push(...times.slice(0, shownPictures.length))
    const why = accepts.has('image')
      ? 'the budget of pictures is used up'
      : 'you take no pictures; with "question" a vision model answers in words'
    return [
      ...shownPictures.map(jpeg => ({ type: 'image' as const, jpeg })),
      ...(shownPictures.length < pictures.length
        ? textContent(`Not shown: ${pictures.length - shownPictures.length}; ${why}.`)
        : []),
      ...(sound && accepts.has('audio') ? [{ type: 'audio' as const, wav: sound }] : []),
    ]
  }
}

function countPictures(content: readonly ContentPart[]): number {
  return content.filter(({ type }) => type === 'image').length
}

// The body of the skill: its head is for hosts that choose among skills.
async function readSkill(): Promise<string> {
  const skill = await readFile(join(packageFolder(), 'skills', 'longtake', 'SKILL.md'), 'utf8')
  return skill.replace(/^---\n[\s\S]*?\n---\n/, '').trim()
}
