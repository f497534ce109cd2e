import { z } from 'zod'
import { noSpeaker, speakerMeant } from '../src/core/speakers.ts'
import type { Hit } from '../src/core/video.ts'
import { agentHits } from '../src/core/words/default-hits.ts'
import { unindexedTracks } from '../src/core/words/row-remarks.ts'
import { defineTool } from './define.ts'
import { endInput, startInput, tracksInput } from './inputs.ts'

export default defineTool({
  name: 'search',
  description:
    'Finds the rows (speech, text on screen, sounds, pictures) that fit some words best, best first. Use short key words, several different searches in one round. It shows only the best few: to count or order use timeline.',
  kind: 'search',
  input: z.object({
    query: z.string().min(1).describe('key words, not a whole sentence'),
    tracks: tracksInput.optional(),
    start: startInput.optional(),
    end: endInput.optional(),
    before: z.number().optional().describe('only rows before this second'),
    after: z.number().optional().describe('only rows after this second'),
    nth: z.number().int().positive().optional().describe('only the nth fitting row in time order, from 1'),
    speaker: z.string().optional().describe('only what this speaker says: a name, or the number of "Speaker 2"'),
    k: z.number().int().min(1).max(50).default(agentHits).describe('how many rows'),
  }),
  async run({ query, tracks, start, end, before, after, nth, speaker, k }, { index }) {
    const { speakers } = index.overview
    if (speaker !== undefined && speakerMeant(speaker, speakers) === undefined)
      return { evidence: [], text: noSpeaker(speaker, speakers) }
    const span =
      start === undefined && end === undefined ? undefined : { start: start ?? 0, end: end ?? index.video.duration }
    const hits = await index.search({ query, tracks, span, before, after, nth, speaker, k })
    const missing = unindexedTracks(index.coverage, tracks ?? [])
    const text = [...(missing.length > 0 ? [`Not looked at: ${missing.join(', ')}.`] : []), ...weakNote(hits)].join(' ')
    return { evidence: hits.map(hit => hit.evidence), ...(text ? { text } : {}) }
  },
})

const weak = 0.25 // of the words

// What is not there finds rows that hold one word of several.
function weakNote(hits: readonly Hit[]): string[] {
  const best = Math.max(0, ...hits.map(({ coverage = 1 }) => coverage))
  return hits.length > 0 && best < weak
    ? [`No row fits well: the best holds ${Math.round(best * 100)} % of the words.`]
    : []
}
