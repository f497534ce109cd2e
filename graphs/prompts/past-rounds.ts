import type { Step } from '../../src/core/agent.ts'
import { type ChatMessage, type ContentPart, textContent } from '../../src/core/chat.ts'
import { type Evidence, longRowLine, rowLine } from '../../src/core/evidence.ts'
import { formatMoment } from '../../src/core/time.ts'
import { fence } from '../../src/core/words/fence.ts'
import type { PictureView } from '../sight/planner-sight.ts'
import type { RunState } from '../state.ts'

// The calls and results of the rounds so far as a conversation. A row stands there in full once, and later results name it by its
// id. Old results are shortened to their ids first, so that the ledger's ids are never lost.
export function pastRounds(state: RunState, characters: number, view?: PictureView): ChatMessage[] {
  const rows = new Map(state.evidence.map(row => [row.id, row]))
  const printed = new Set<string>()
  const rounds = [...new Set(state.steps.map(step => step.round))]
  const past = rounds.flatMap((round): ChatMessage[] => {
    const steps = state.steps.filter(step => step.round === round)
    const recent = round >= rounds.length - 3
    const calls = steps.map((step, i) => ({ id: callId(round, i), name: step.tool, arguments: step.input ?? {} }))
    return [
      { role: 'assistant' as const, content: ownWords(state, round, characters), calls },
      ...steps.map((step, i) => ({
        role: 'tool' as const,
        call: callId(round, i),
        name: step.tool,
        content: [
          ...textContent(stepText(step, { rows, printed }, resultLength(characters, recent, steps.length))),
          ...pictureParts(step, view),
        ],
      })),
    ]
  })
  const open = rounds.includes(state.round) ? [] : ownWords(state, state.round, characters)
  return open.length > 0 ? [...past, { role: 'assistant', content: open }] : past
}

// What the planner said in a round stays as it wrote it. Where a prompt was too long the oldest words are cut first.
function ownWords({ replies, round: now }: RunState, round: number, characters: number): ContentPart[] {
  const words = replies.flatMap(one => (one.round === round && one.text.trim() ? [one.text] : [])).join('\n')
  const room = now - round <= 3 ? 4 * characters : Math.max(200, (4 * characters) / (now - round))
  return words === '' ? [] : textContent(characters >= 12_000 ? words : words.slice(0, room))
}

// The pictures of a result, or a word that they were there before.
function pictureParts(step: Step, view: PictureView | undefined): ContentPart[] {
  if (!view || !step.pictures?.length) return []
  const pictures = view.of(step)
  if (pictures.length === 0)
    return textContent('\nIts frames are no longer shown; what you wrote about them stands in your replies.')
  return pictures.flatMap(({ picture, jpeg }): ContentPart[] => {
    const time = picture.cells[0]?.times[0]
    return [
      ...textContent(`\n${picture.row ?? 'picture'} ${formatMoment(time ?? picture.span.start)}:`),
      { type: 'image', jpeg, time },
    ]
  })
}

// Without compaction every result stands there whole.
function resultLength(characters: number, recent: boolean, calls: number): number {
  if (characters === Number.POSITIVE_INFINITY) return characters
  const share = Math.min(1, characters / 12_000)
  return recent ? Math.max(1200 * share, characters / calls) : 600 * share
}

function callId(round: number, index: number): string {
  return `call_${round}_${index}`
}

interface RowsSoFar {
  rows: ReadonlyMap<string, Evidence>
  printed: Set<string> // in full, in this request
}

function stepText(step: Step, { rows, printed }: RowsSoFar, characters: number): string {
  // What a tool says, also why it failed, may hold words of the video or of a server; why a call was not run is our own.
  const note = step.text ? (step.outcome === 'refused' ? step.text : fence('note', step.text)) : ''
  const head = [`${step.outcome}.`, ...step.notes, note].filter(Boolean).join(' ')
  const lines: string[] = []
  let used = head.length
  const before = step.evidence.filter(id => printed.has(id))
  const fresh = step.evidence.filter(id => !printed.has(id))
  for (const [i, id] of fresh.entries()) {
    const row = rows.get(id)
    if (!row) continue
    // What a helper has read is in its findings.
    const line = step.helper ? longRowLine(row, 0) : rowLine(row)
    if (used + line.length > characters) {
      lines.push(idList('and', fresh.slice(i), 'more rows'))
      break
    }
    used += line.length
    lines.push(line)
    printed.add(id)
  }
  if (before.length > 0) lines.push(idList(lines.length > 0 ? 'and' : '', before, 'rows shown above'))
  return lines.length > 0 ? `${head}\n${fence('rows', lines.join('\n'))}` : head
}

function idList(lead: string, ids: readonly string[], what: string): string {
  return `${lead} ${ids.length} ${what}: ${ids.slice(0, 40).join(' ')}`.trim()
}

// How long a call took must not make two equal requests differ: replies are found again by the content of the request.
export function stepsWithoutClock(steps: Step[]): Step[] {
  return steps.map(step => ({ ...step, seconds: 0 }))
}
