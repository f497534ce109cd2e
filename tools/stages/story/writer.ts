import type { ChatModel, ChatRequest } from '../../../src/core/chat.ts'
import { BackendError } from '../../../src/core/errors.ts'
import { chatKey } from '../../../src/core/run/call-record.ts'
import type { StageParts } from '../../../src/core/stage.ts'
import { openJournal } from '../journal.ts'
import { askedAgain } from './prompts.ts'

// What was read of a reply: what of it holds, and what was wrong with the rest.
export interface ReadReply<Value> {
  value: Value
  good: number // sentences that hold
  dropped: number // sentences that do not
  faults: string[]
}

export interface Spent {
  calls: number
  inputTokens: number
  outputTokens: number
  again: number // of the calls, those that ask for a reply once more
}

export interface StoryWriter {
  // Undefined: the model gave no reply that could be read. Longer than its context: the error is thrown on.
  write<Value>(request: ChatRequest, read: (reply: string) => ReadReply<Value> | undefined): Promise<Value | undefined>
  atOnce: number // requests
  spent: Spent
  counts: { dropped: number; unread: number }
  close(): Promise<void>
}

interface Kept {
  text: string
  inputTokens: number
  outputTokens: number
}

// Asks the model of the stage. Replies are kept as they come, by their requests, so that a run after a kill asks only for the others.
export async function openWriter(
  model: ChatModel,
  parts: StageParts | undefined,
  signal: AbortSignal,
): Promise<StoryWriter> {
  const journal = await openJournal<Kept>(parts)
  const spent: Spent = { calls: 0, inputTokens: 0, outputTokens: 0, again: 0 }
  const counts = { dropped: 0, unread: 0 }
  let last = Promise.resolve() // one line after the other

  const reply = async (request: ChatRequest): Promise<string | undefined> => {
    const key = chatKey(request)
    const kept = journal.made(key) ?? (await asked(request))
    if (kept && !journal.made(key)) {
      last = last.then(() => journal.add([[key, kept]]))
      await last
    }
    spent.calls++
    spent.inputTokens += kept?.inputTokens ?? 0
    spent.outputTokens += kept?.outputTokens ?? 0
    return kept?.text
  }
  const asked = async (request: ChatRequest): Promise<Kept | undefined> => {
    try {
      const { text, usage } = await model.reply(request, signal)
      return { text, ...usage }
    } catch (error) {
      if (error instanceof BackendError && error.reason === 'bad-reply') return undefined
      throw error
    }
  }

  return {
    atOnce: model.atOnce ?? 1,
    spent,
    counts,
    async write(request, read) {
      const tried = async (request: ChatRequest) => {
        const said = await reply(request)
        return said === undefined ? undefined : read(said)
      }
      const first = await tried(request)
      if (first && first.faults.length === 0) return first.value
      spent.again++
      const second = await tried(askedAgain(request, first?.faults ?? ['it is no JSON of this form']))
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
