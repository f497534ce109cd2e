import type { ChatModel, ChatReply, ContentPart } from '../../src/core/chat.ts'
import { BackendError, errorText } from '../../src/core/errors.ts'
import type { Sample } from '../data/sample.ts'
import type { Judgment } from '../data/sample-line.ts'
import {
  type JudgeMode,
  type JudgeRequest,
  type JudgeSight,
  judgeModes,
  type Protocol,
} from '../protocols/judge/protocol.ts'

interface ToJudge {
  sample: Sample
  reply: string
  before?: Judgment // steps that are done are kept, those that failed are asked again
  sight?(): Promise<JudgeSight>
  signal: AbortSignal
}

export interface JudgeService {
  name: string
  protocol: Protocol
  withChat?(wrap: (chat: ChatModel) => ChatModel): JudgeService // the same, with every call going through `wrap`
  judge(work: ToJudge): Promise<Judgment>
}

// A chat model as the judge. A model that fails or talks nonsense leaves the step unjudged; it never becomes a verdict.
export function modelJudge(protocol: Protocol, chat: ChatModel, wording?: string, mode?: JudgeMode): JudgeService {
  const name = mode === undefined || mode === protocol.modes?.[0] ? chat.id : `${chat.id} (${mode})`
  return {
    name,
    protocol,
    withChat: wrap => modelJudge(protocol, wrap(chat), wording, mode),
    async judge({ sample, reply, before, sight, signal }) {
      const began = performance.now()
      const usage = { calls: 0, inputTokens: 0, outputTokens: 0, ...before?.usage }
      const judgment: Judgment = { by: name, replies: { ...before?.replies }, failed: {}, seconds: 0, usage }
      const failedBefore = new Set(Object.keys(before?.failed ?? {}))
      const isDone = (step: string) => step in judgment.replies && !failedBefore.has(step)
      await protocol.judge({
        sample,
        reply,
        wording,
        mode,
        sight: sight ?? (() => Promise.reject(new BackendError('There is no video to look at.'))),
        async step(name, request, usable, tries) {
          if (isDone(name)) return judgment.replies[name] ?? null
          for (let triesLeft = tries; triesLeft > 0; triesLeft--) {
            const judgeReply = await askOnce(chat, request, signal)
            usage.calls++
            usage.inputTokens += judgeReply.usage?.inputTokens ?? 0
            usage.outputTokens += judgeReply.usage?.outputTokens ?? 0
            judgment.replies[name] = judgeReply.text
            if (judgeReply.text !== null && usable(judgeReply.text)) {
              delete judgment.failed[name]
              return judgeReply.text
            }
            judgment.failed[name] = judgeReply.error ?? 'no verdict in the reply'
            if (judgeReply.error && !judgeReply.retryable) break
          }
          return null
        },
      })
      return { ...judgment, seconds: (performance.now() - began) / 1000 + (before?.seconds ?? 0) }
    },
  }
}

// The mode that the name of a judge states.
export function modeNamed(judge: string): JudgeMode | undefined {
  return judgeModes.find(mode => judge.endsWith(` (${mode})`))
}

// The judge that needs no model: numbers, times and words.
export function wordsJudge(protocol: Protocol): JudgeService {
  return {
    name: 'words',
    protocol,
    judge: async ({ sample, reply }) => ({
      by: 'words',
      replies: protocol.words(sample, reply),
      failed: {},
      seconds: 0,
    }),
  }
}

interface JudgeReply {
  text: string | null
  usage?: ChatReply['usage']
  error?: string
  retryable?: boolean
}

async function askOnce(
  chat: ChatModel,
  request: () => JudgeRequest | Promise<JudgeRequest>,
  signal: AbortSignal,
): Promise<JudgeReply> {
  try {
    const { system, text, images = [], temperature, maxTokens, schema } = await request()
    if (images.length > 0 && !chat.accepts.has('image'))
      return { text: null, error: `${chat.id} takes no images, and this step shows frames` }
    const imageParts = images.map((jpeg): ContentPart => ({ type: 'image', jpeg }))
    const content: ContentPart[] = [...imageParts, { type: 'text', text }]
    const reply = await chat.reply(
      {
        purpose: 'judge',
        messages: [
          ...(system ? [{ role: 'system' as const, content: [{ type: 'text' as const, text: system }] }] : []),
          { role: 'user', content },
        ],
        temperature,
        maxTokens,
        schema,
      },
      signal,
    )
    return { text: reply.text, usage: reply.usage, retryable: true }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof BackendError)) throw error
    return { text: null, error: errorText(error), retryable: error.retryable }
  }
}
