import type { Question, Step } from '../../src/core/agent.ts'
import type { EarlierTurn } from '../../src/core/brief.ts'
import { rowLine } from '../../src/core/evidence.ts'
import { formatSpan } from '../../src/core/time.ts'
import { type Coverage, lostSpans, type Overview, type OverviewPart, toldTracks } from '../../src/core/video.ts'
import { fence } from '../../src/core/words/fence.ts'
import type { RunState } from '../state.ts'

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
  const gaps = lostSpans(coverage, name, { start: 0, end: coverage.duration }).map(formatSpan)
  const shownGaps = gaps.slice(0, 12)
  const more = gaps.length > shownGaps.length ? ` and ${gaps.length - shownGaps.length} more` : ''
  return gaps.length > 0 ? `, could not be decoded (not known what is there): ${shownGaps.join(' ')}${more}` : ''
}

// What is known of the whole video, in so many characters. Of a written overview the whole comes first, and of its chapters as much as
// fits for all of them: their summaries, the first sentence of each, or only their titles.
export function overviewBlock(overview: Overview, characters: number): string {
  const { chapters, whole = [], threads = [] } = overview
  if (chapters.length === 0) return ''
  if (whole.length === 0) return fence('overview', listed(chapters, ({ summary }) => summary).slice(0, characters))
  const about = whole.map(({ text }) => text).join(' ')
  const open = threads.length > 0 ? `Left open: ${threads.map(({ text }) => text).join(' ')}` : ''
  const room = characters - about.length - open.length - 2
  const lengths = [
    ({ summary }: OverviewPart) => summary,
    ({ summary, sentences = [] }: OverviewPart) => sentences[0]?.text ?? summary,
    () => '',
  ]
  const forms = lengths.map(shown => listed(chapters, shown))
  const fitting = forms.find(form => form.length <= room) ?? forms.at(-1)?.slice(0, Math.max(0, room)) ?? ''
  return fence('overview', [about, fitting, open].filter(Boolean).join('\n').slice(0, characters))
}

function listed(chapters: readonly OverviewPart[], shown: (chapter: OverviewPart) => string): string {
  return chapters.map(chapter => `${formatSpan(chapter.span)} ${chapter.title}: ${shown(chapter)}`).join('\n')
}

// How long a call took must not make two equal requests differ: replies are found again by the content of the request.
export function stepsWithoutClock(steps: readonly Step[]): Step[] {
  return steps.map(step => ({ ...step, seconds: 0 }))
}
