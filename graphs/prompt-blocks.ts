import type { Question, Rating, Step } from '../src/core/agent.ts'
import type { EarlierTurn } from '../src/core/brief.ts'
import { type ChatMessage, type ContentPart, textContent } from '../src/core/chat.ts'
import { type Evidence, longRowLine, rowLine } from '../src/core/evidence.ts'
import { formatMoment, formatSpan } from '../src/core/time.ts'
import { type Coverage, toldTracks, undecoded } from '../src/core/video.ts'
import { fence } from '../src/core/words/fence.ts'
import type { PictureView } from './sight/planner-sight.ts'
import type { RunState } from './state.ts'

// The pieces that prompts are made of. Whatever was read or heard in the video stands in a fence.

export function questionBlock(state: RunState, turns: EarlierTurn[]): string {
  const earlier = turns.map((turn, i) => {
    const recent = i >= turns.length - turnsWithRows
    const rows = recent ? turn.evidence.slice(0, rowsOfTurn).map(rowLine).join('\n') : ''
    return `Earlier question: ${turn.question.text}\n${fence('answer', turn.answer ?? '(none)')}${rows ? `\n${fence('evidence', rows)}` : ''}`
  })
  const options = state.question.options?.map((option, i) => `${i}: ${option}`) ?? []
  return [
    ...earlier,
    `Question: ${state.question.text}`,
    ...referenceLines(state.question),
    ...(options.length > 0 ? ['Options:', ...options] : []),
  ].join('\n')
}

const turnsWithRows = 4 // earlier turns whose evidence is shown; of those before only what was asked and answered
const rowsOfTurn = 12

// What the person's own words point at. What it means may quote the video, so it stands in a fence.
function referenceLines({ refers }: Question): string[] {
  if (!refers) return []
  const meant = refers.references.map(
    ({ words, span, means, evidence }) =>
      `"${words}" is ${span ? `${formatSpan(span)} ` : ''}${means}${evidence.length > 0 ? ` (${evidence.slice(0, 6).join(' ')})` : ''}`,
  )
  return [`In the person's own words: ${refers.asked}`, fence('refers to', meant.join('\n'))]
}

export function coverageBlock(coverage: Coverage): string {
  const lines = toldTracks(coverage, ['speech', 'text', 'sound', 'picture']).map(
    ({ name, track: { state, items } }) =>
      `${name}: ${state}, ${items} rows${name === 'caption' ? '' : notDecoded(coverage, name)}`,
  )
  // Notes name tracks as the file names them.
  const notes = coverage.notes.length > 0 ? `\n${fence('notes', coverage.notes.join('\n'))}` : ''
  return `Index: ${lines.join('; ')}.${notes}`
}

function notDecoded(coverage: Coverage, name: 'speech' | 'text' | 'sound' | 'picture'): string {
  const gaps = undecoded(coverage, name, { start: 0, end: coverage.duration }).map(formatSpan)
  const shown = gaps.slice(0, 12)
  const more = gaps.length > shown.length ? ` and ${gaps.length - shown.length} more` : ''
  return gaps.length > 0 ? `, could not be decoded (not known what is there): ${shown.join(' ')}${more}` : ''
}

// The calls and results of the rounds so far as a conversation. Old results are shortened to their ids first, so that the
// ledger's ids are never lost.
export function pastRounds(state: RunState, characters: number, view?: PictureView): ChatMessage[] {
  const ratings = new Map(state.weighed?.ratings?.map(one => [one.id, one]))
  const rows = new Map(state.evidence.map(row => [row.id, row]))
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
          ...textContent(stepText(step, rows, ratings, lengthOf(characters, recent, steps.length))),
          ...shownBy(step, view),
        ],
      })),
    ]
  })
  const open = rounds.includes(state.round) ? [] : ownWords(state, state.round, characters)
  return open.length > 0 ? [...past, { role: 'assistant', content: open }] : past
}

// What the planner said in a round stays as it wrote it. Where a prompt was too long the oldest words are cut first.
function ownWords({ replies, round: now }: RunState, round: number, characters: number): ContentPart[] {
  const said = replies.flatMap(one => (one.round === round && one.text.trim() ? [one.text] : [])).join('\n')
  const room = now - round <= 3 ? 4 * characters : Math.max(200, (4 * characters) / (now - round))
  return said === '' ? [] : textContent(characters >= 12_000 ? said : said.slice(0, room))
}

// The pictures of a result, or a word that they were there before.
function shownBy(step: Step, view: PictureView | undefined): ContentPart[] {
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
function lengthOf(characters: number, recent: boolean, calls: number): number {
  if (characters === Number.POSITIVE_INFINITY) return characters
  const share = Math.min(1, characters / 12_000)
  return recent ? Math.max(1200 * share, characters / calls) : 600 * share
}

function callId(round: number, index: number): string {
  return `call_${round}_${index}`
}

function stepText(
  step: Step,
  rows: Map<string, Evidence>,
  ratings: ReadonlyMap<string, Rating>,
  characters: number,
): string {
  // What a tool says, also why it failed, may hold words of the video or of a server; why a call was not run is our own.
  const said = step.text ? (step.outcome === 'refused' ? step.text : fence('note', step.text)) : ''
  const head = [`${step.outcome}.`, ...step.notes, said].filter(Boolean).join(' ')
  const lines: string[] = []
  let used = head.length
  const low = step.evidence.filter(id => ratings.get(id)?.score === 1)
  const fitting = step.evidence.filter(id => ratings.get(id)?.score !== 1)
  for (const [i, id] of fitting.entries()) {
    const row = rows.get(id)
    if (!row) continue
    const rating = ratings.get(id)
    // What a helper has read is in its findings.
    const plain = step.helper ? longRowLine(row, 0) : rowLine(row)
    const line = rating ? `${plain} [${rating.score} of 4: ${rating.reason}]` : plain
    if (used + line.length > characters) {
      const rest = fitting.slice(i)
      lines.push(`and ${rest.length} more rows: ${rest.slice(0, 40).join(' ')}`)
      break
    }
    used += line.length
    lines.push(line)
  }
  if (low.length > 0)
    lines.push(`and ${low.length} rows that have nothing to do with it: ${low.slice(0, 20).join(' ')}`)
  return lines.length > 0 ? `${head}\n${fence('rows', lines.join('\n'))}` : head
}
