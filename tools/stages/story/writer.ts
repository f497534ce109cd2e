import { type ChatModel, type ChatRequest, emptyUsage } from '../../../src/core/chat.ts'
import { BackendError } from '../../../src/core/errors.ts'
import { chatKey } from '../../../src/core/run/call-record.ts'
import type { StageParts } from '../../../src/core/stage.ts'
import type { Budgeter, CallCost } from '../captions/budget.ts'
import { openJournal } from '../journal.ts'
import { retrySentences } from './prompts.ts'
import { requestTokens } from './tokens.ts'

// What was read of a reply: what of it holds, and what was wrong with the rest.
export interface ReadReply<Value> {
  value: Value
  good: number // sentences that hold
  dropped: number // sentences that do not
  faults: string[]
}

export interface StoryCost {
  calls: number
  inputTokens: number
  outputTokens: number
  again: number // of the calls, those that ask for a reply once more
}

export interface StoryWriter {
  // Undefined: the model gave no reply that could be read. Longer than its context: the error is thrown on.
  write<Value>(request: ChatRequest, read: (reply: string) => ReadReply<Value> | undefined): Promise<Value | undefined>
  atOnce: number // requests
  spent: StoryCost
  counts: { dropped: number; unread: number }
  close(): Promise<void>
}

interface StoredReply {
  text: string
  inputTokens: number
  outputTokens: number
}

// Asks the model of the stage. Replies are kept as they come, by their requests, so that a run after a kill asks only for the others.
export async function openWriter(
  model: ChatModel,
  parts: StageParts | undefined,
  budgeter: Budgeter,
  signal: AbortSignal,
): Promise<StoryWriter> {
  const journal = await openJournal<StoredReply>(parts)
  for (const stored of journal.all()) budgeter.commit(emptyUsage, { calls: 1, ...stored })
  const spent: StoryCost = { calls: 0, inputTokens: 0, outputTokens: 0, again: 0 }
  const counts = { dropped: 0, unread: 0 }
  let broken: { error: unknown } | undefined // why nothing more is asked
  let last = Promise.resolve() // one line after the other

  const reply = async (request: ChatRequest): Promise<string> => {
    const key = chatKey(request)
    const stored = journal.made(key) ?? (await askModel(request))
    if (!journal.made(key)) {
      last = last.then(() => journal.add([[key, stored]]))
      await last
    }
    spent.calls++
    spent.inputTokens += stored.inputTokens
    spent.outputTokens += stored.outputTokens
    return stored.text
  }
  const underWay = new Set<Promise<void>>()
  // What is under way is taken for as much as it can cost: what does not fit beside it may fit once it is over.
  const askModel = async (request: ChatRequest): Promise<StoredReply> => {
    const outputTokens = (request.maxTokens ?? 0) + (model.thinkingTokens ?? 0)
    const expected = { calls: 1, inputTokens: requestTokens(request), outputTokens }
    while (!budgeter.reserve(expected)) {
      if (underWay.size === 0) {
        const { calls, inputTokens, outputTokens } = spent
        throw budgetSpent(`${calls} calls took ${inputTokens + outputTokens} tokens, and the next does not fit`)
      }
      await Promise.race(underWay)
      signal.throwIfAborted()
      if (broken) throw broken.error
    }
    const reply = paid(request, expected)
    const over = reply.then(
      () => {},
      error => {
        if (!isTooLong(error)) broken ??= { error }
      },
    )
    underWay.add(over)
    return reply.finally(() => underWay.delete(over))
  }
  const paid = async (request: ChatRequest, expected: CallCost): Promise<StoredReply> => {
    let real: CallCost = emptyUsage // a request that is refused costs nothing
    try {
      const { text, usage } = await model.reply(request, signal)
      real = { calls: 1, ...usage }
      return { text, ...usage }
    } catch (error) {
      if (!(error instanceof BackendError && error.reason === 'bad-reply')) throw error
      const { inputTokens, outputTokens } = error.usage ?? expected
      real = { calls: 1, inputTokens, outputTokens }
      return { text: '', inputTokens, outputTokens } // kept too, so that nothing is paid twice
    } finally {
      budgeter.commit(expected, real)
    }
  }

  return {
    atOnce: model.atOnce ?? 1,
    spent,
    counts,
    async write(request, read) {
      const tried = async (request: ChatRequest) => read(await reply(request))
      const first = await tried(request)
      if (first && first.faults.length === 0) return first.value
      spent.again++
      const second = await tried(retrySentences(request, first?.faults ?? ['it is not JSON of this form']))
      const best = first && (!second || second.good < first.good) ? first : second
      counts.dropped += best?.dropped ?? 0
      if (!best) counts.unread++
      return best?.value
    },
    async close() {
      await last.catch(() => {}) // told where it was waited for
      await journal.close()
    },
  }
}

// Which is asked for in halves.
function isTooLong(error: unknown): boolean {
  return error instanceof BackendError && error.reason === 'context-overflow'
}

// What was written is kept, so that a larger budget goes on from there. An overview of a part of the video would pass for one of all.
export function budgetSpent(why: string): BackendError {
  return new BackendError(`index.overviewBudget does not last for the overview: ${why}.`, {
    hint: 'Raise it and index again: what was asked is kept. The lines of the video are its overview until then.',
  })
}
