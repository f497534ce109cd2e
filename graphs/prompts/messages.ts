import type { Step } from '../../src/core/agent.ts'
import { type ChatMessage, type ContentPart, textContent } from '../../src/core/chat.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import { formatMoment } from '../../src/core/time.ts'
import { fence } from '../../src/core/words/fence.ts'
import type { RunMessage, RunState } from '../state.ts'

// How a graph shows its conversation to a model.
export interface Telling {
  rules: string
  opening: ContentPart[]
  shown?: ReadonlyMap<string, string> // rows that stand in the opening, by the ids under which they do
  line(row: Evidence, step: Step): string
  characters(calls: number, age: number): number // of the result of one of so many calls; age: rounds since
  words?(text: string, age: number): string // of a reply, if the prompt was too long
  pictures?(step: Step): ContentPart[]
  last: string // what the code says now
}

type ConversationState = Pick<RunState, 'messages' | 'steps' | 'evidence' | 'round'>

// The conversation so far, from the messages and steps of the state: every reply as the model gave it, every result as it came. A
// row stands there in full once, and later results name it by its id.
export function conversationMessages(state: ConversationState, telling: Telling): ChatMessage[] {
  const printed = new Map(telling.shown)
  const rows = new Map(state.evidence.map(row => [row.id, row]))
  const chat: ChatMessage[] = []
  const say = (text: string) => {
    const before = chat.at(-1)
    if (before?.role === 'user') before.content.push(...textContent(`\n${text}`))
    else if (text.trim() !== '') chat.push({ role: 'user', content: textContent(text) })
  }
  const messages = withOlderRounds(state)
  for (const [at, message] of messages.entries()) {
    if (message.by === 'code') {
      if (message.about !== 'opening' && !isResult(messages[at - 1], message)) say(message.text)
      continue
    }
    const { round, calls } = message
    const age = state.round - (round ?? state.round)
    const text = telling.words?.(message.text, age) ?? message.text
    const ids = calls.map((_, call) => `call_${at}_${call}`) // servers may give several calls one id
    if (text !== '' || calls.length > 0)
      chat.push({
        role: 'assistant',
        content: text === '' ? [] : textContent(text),
        ...(calls.length > 0 && {
          calls: calls.map(({ name, arguments: given }, call) => ({ id: ids[call] ?? '', name, arguments: given })),
        }),
      })
    const steps = state.steps.filter(step => step.round === round)
    const next = messages[at + 1]
    const response = next && isResult(message, next) ? next.text : 'Not run.'
    for (const [call, { name }] of calls.entries()) {
      const step = steps[call]
      const content = step
        ? stepContent(step, rows, { ...telling, printed, most: telling.characters(calls.length, age) })
        : textContent(call === 0 ? response : 'See above.')
      chat.push({ role: 'tool', call: ids[call] ?? '', name, content })
    }
  }
  say(telling.last)
  const opening: ChatMessage = { role: 'user', content: telling.opening }
  return [{ role: 'system', content: textContent(telling.rules) }, opening, ...chat]
}

// What the code says of an answer stands as the result of its call.
function isResult(before: RunMessage | undefined, message: RunMessage): boolean {
  if (message.by !== 'code' || before?.by !== 'model' || before.round !== undefined) return false
  return before.calls.length > 0 && (message.about === 'doubt' || message.about === 'form')
}

// With the rounds of which the state has steps and no message: a policy made them, or they are of an older version or another run.
function withOlderRounds({ messages, steps }: ConversationState): RunMessage[] {
  const knownRounds = new Set(messages.map(message => (message.by === 'model' ? message.round : undefined)))
  const rounds = [...new Set(steps.map(step => step.round))].filter(round => !knownRounds.has(round))
  const older = rounds.map((round): RunMessage => {
    const calls = steps.filter(step => step.round === round)
    return {
      by: 'model',
      text: '',
      round,
      calls: calls.map(step => ({ id: '', name: step.tool, arguments: step.input ?? {} })),
    }
  })
  return [...older, ...messages]
}

interface Printing extends Pick<Telling, 'line' | 'pictures'> {
  printed: Map<string, string> // rows that stand in full in this request
  most: number // characters
}

function stepContent(
  step: Step,
  ledger: ReadonlyMap<string, Evidence>,
  { printed, most, line, pictures }: Printing,
): ContentPart[] {
  // What a tool says, also why it failed, may hold words of the video or of a server; why a call was not run is our own.
  const note = step.text ? (step.outcome === 'refused' ? step.text : fence('note', step.text)) : ''
  const head = [step.outcome === 'found' ? '' : `${step.outcome}.`, ...step.notes, note].filter(Boolean).join(' ')
  const seen = pictures?.(step) ?? []
  const rows = step.evidence.flatMap(id => ledger.get(id) ?? []).map(row => ({ row, text: line(row, step) }))
  const telling = rows.filter(({ text }) => text !== '')
  const fresh = telling.filter(({ row }) => !printed.has(row.id))
  const before = telling.filter(({ row }) => printed.has(row.id))
  const lines: string[] = []
  let used = head.length
  for (const [at, { row, text }] of fresh.entries()) {
    used += text.length
    if (used > most) {
      const rest = fresh.slice(at).map(one => one.row)
      const from = rest.length > 1 ? `, from ${formatMoment(rest[0]?.span.start ?? 0)} on` : ''
      const restIds = rest.map(one => one.id)
      lines.push(`${idList(`and ${counted(rest.length, 'more ')}`, restIds)}${from}`)
      break
    }
    lines.push(text)
    printed.set(row.id, row.id)
  }
  const shownIds = [...new Set(before.map(({ row }) => printed.get(row.id) ?? row.id))]
  if (before.length > 0)
    lines.push(idList(`${lines.length > 0 ? 'and ' : ''}${counted(before.length)} shown above`, shownIds))
  const words = [head, lines.length > 0 ? fence('rows', lines.join('\n')) : ''].filter(Boolean).join('\n')
  return [...(words !== '' || seen.length === 0 ? textContent(words || 'Done.') : []), ...seen]
}

function counted(rows: number, more = ''): string {
  return `${rows} ${more}${rows === 1 ? 'row' : 'rows'}`
}

function idList(lead: string, ids: readonly string[]): string {
  return `${lead}: ${ids.slice(0, 40).join(' ')}`
}
