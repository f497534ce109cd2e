import { z } from 'zod'
import { breather } from '../src/core/basics/signals.ts'
import { byTime, type Evidence } from '../src/core/evidence.ts'
import { formatSpan, type Span, touches } from '../src/core/time.ts'
import type { ToolContext } from '../src/core/tool.ts'
import { distinctRows, findOccurrences } from '../src/text/occurrences.ts'
import { coverage } from '../src/text/word-similarity.ts'
import { isStopWord, tokens } from '../src/text/words.ts'
import { defineTool } from './define.ts'
import { endInput, inputSpan, startInput, tracksInput } from './inputs.ts'

export default defineTool({
  name: 'timeline',
  description:
    'Everything of some tracks in time order, over a span or the whole video; with `about` only the rows that hold those words (misspellings included). For counting, ordering, and what comes before, after or at a moment.',
  kind: 'list',
  input: z.object({
    tracks: tracksInput.optional(),
    start: startInput.optional(),
    end: endInput.optional(),
    about: z.string().optional().describe('only rows that hold most of these words'),
    limit: z.number().int().positive().max(2000).default(400),
  }),
  async run(input, context) {
    const { index } = context
    const span = inputSpan(input, index.video.duration)
    const wantedTracks = input.tracks ?? ['speech', 'text', 'sound', 'picture']
    const rows = [
      ...index.evidence({ tracks: wantedTracks, span }),
      ...shotRows(wantedTracks.includes('shot'), span, context),
    ]
      .filter(row => touches(row.span, span))
      .sort(byTime)
    const matching = input.about ? await aboutOnly(rows, input.about, context.signal) : rows
    const shownRows = matching.slice(0, input.limit)
    return { evidence: shownRows, text: report(shownRows, matching.length, input.about) }
  },
})

// The shots as rows, where the index keeps them only as a list.
function shotRows(wanted: boolean, span: Span, { index, note }: ToolContext): Evidence[] {
  if (!wanted || index.evidence({ tracks: ['shot'] }).length > 0) return []
  return index.shots
    .map((shot, i) => ({ shot, name: `Shot ${i + 1} of ${index.shots.length}` }))
    .filter(({ shot }) => touches(shot, span))
    .map(({ shot, name }) =>
      note({ span: { start: shot.start, end: shot.end }, track: 'shot', text: name }, 'shots/index'),
    )
}

async function aboutOnly(rows: readonly Evidence[], about: string, signal: AbortSignal): Promise<Evidence[]> {
  const all = tokens(about)
  const telling = all.filter(token => !isStopWord(token.text))
  const terms = telling.length > 0 ? telling : all
  const matching: Evidence[] = []
  const breathe = breather(signal)
  for (const row of rows) {
    const pause = breathe()
    if (pause) await pause
    if (coverage(terms, row.text) >= 0.55) matching.push(row)
  }
  return matching
}

function report(rows: readonly Evidence[], all: number, about: string | undefined): string {
  if (rows.length === 0) return about ? `No row holds "${about}".` : 'No rows there.'
  const cut = all > rows.length ? ` The first ${rows.length} of ${all} are shown; narrow the span for the rest.` : ''
  const times = about ? findOccurrences(about, rows) : distinctRows(rows)
  const spans = times.slice(0, 40).map(one => formatSpan(one.span))
  const what = about ? `"${about}" occurs ${times.length} times as these words` : `${times.length} distinct rows`
  return `${rows.length} rows.${cut} ${what}: ${spans.join(' ')}`
}
