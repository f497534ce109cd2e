import { z } from 'zod'
import type { Track } from '../../core/evidence.ts'
import type { Operation } from '../../core/operation.ts'
import type { OperationReply } from '../../core/operation-reply.ts'
import type { Hit, VideoIndex } from '../../core/video.ts'
import { countPhrase } from '../../core/words/counted.ts'
import { findHits } from '../../core/words/default-hits.ts'
import { foundBy } from '../../core/words/found-by.ts'
import { hitCounts, rowTracks } from '../../core/words/row-remarks.ts'
import { visibleFileName } from '../../core/words/visible-text.ts'
import { checkQuery } from '../../text/question/check-question.ts'
import { readSpan } from './choose-span.ts'
import { spanInputs, untilInput } from './inputs.ts'
import { rowLines } from './read.ts'
import { eachPart, findableTracks, openTimeline, shiftRow } from './source.ts'

const usualFindTracks: Track[] = [...rowTracks, 'picture'] // summaries repeat rows
const maxHits = 100
const nearShown = 5 // hits that hold no word of the query, where no limit is given
const maxSounds = 12
const maxNotSearched = 10

const input = z.object({
  words: z.string().trim().min(1).max(2000),
  ...spanInputs,
  tracks: z.array(z.enum(findableTracks)).optional(),
  limit: z.number().int().min(1).max(maxHits).optional().describe(`default ${findHits}`),
  until: untilInput,
})

interface FoundRow extends Hit {
  from: string // the video, where it is one of several
}

export const findOperation: Operation<typeof input> = {
  name: 'find',
  description:
    'Finds rows by words and meaning, best first, with scores: in one video, or without video in all. 2-4 plain words; try others before you say that it is not there. To count or list, read.',
  input,
  async run({ words, video, start, end, tracks, limit, until }, memory) {
    const query = { query: words, k: maxHits, onlyFitting: true, tracks: tracks ?? usualFindTracks }
    checkQuery(query)
    const isInAll = video === undefined && (await memory.videos()).length !== 1
    if (isInAll) {
      const { hits, searched, notSearched } = await memory.search(query)
      const missing = notSearched
        .slice(0, maxNotSearched)
        .map(({ id, video, why }) => `not searched: ${visibleFileName(video?.name ?? id)}: ${why}`)
      const allHits = hits.map(hit => ({ ...hit, from: `${visibleFileName(hit.video.name)} ` }))
      const reply = describeHits(allHits, limit)
      const head = `In ${countPhrase(searched.length, 'video')}${notSearched.length > 0 ? ` (${notSearched.length} could not be searched)` : ''}: ${reply.head}`
      return { ...reply, head, lines: [...reply.lines, ...missing] }
    }
    const source = await openTimeline(memory, video, until)
    const span = readSpan(source, { start, end })
    const parts = await eachPart(memory, source, span, async (index, local, { offset }) => {
      const hits = await index.search({ ...query, span: local })
      return {
        hits: hits.map(hit => ({ ...hit, evidence: shiftRow(hit.evidence, offset), from: '' })),
        sounds: soundNames(index),
      }
    })
    const hits = parts.flatMap(part => part.hits)
    if (parts.length > 1)
      hits.sort((a, b) => (b.coverage ?? 0) - (a.coverage ?? 0) || (b.likeness ?? 0) - (a.likeness ?? 0))
    return describeHits(hits, limit, [...new Set(parts.flatMap(({ sounds }) => sounds))])
  },
}

// So many fit, and these are the best: what holds no word of the query is cut short, as something is always the nearest.
function describeHits(
  hits: readonly FoundRow[],
  limit: number | undefined,
  sounds: readonly string[] = [],
): OperationReply {
  if (hits.length === 0)
    return {
      head: 'No row fits.',
      lines: sounds.length > 0 ? [`sounds that were heard: ${sounds.slice(0, maxSounds).join('; ')}`] : [],
      next: 'Next: other words for it (a row holds what is said or written, not that it is a sign or slide; sounds are named by likeness, speech may be misheard), or read the tracks, or view: what is only seen is in no row.',
    }
  let nearLeft = limit ?? nearShown
  const bestHits = hits.filter(({ terms }) => terms.length > 0 || nearLeft-- > 0).slice(0, limit ?? findHits)
  const rest = bestHits.length < hits.length ? `; the best ${bestHits.length}` : ''
  return {
    head: `${hits.length === maxHits ? `${maxHits} or more` : countPhrase(hits.length, 'row')}: ${hitCounts(hits)}${rest}.`,
    lines: bestHits.map(hit => `${hit.from}${hitLine(hit)} [${foundBy(hit)}]`),
    ...(hits.every(({ terms }) => terms.length === 0) && {
      next: 'Next: view the nearest before you believe them, or other words.',
    }),
  }
}

// A kept picture has no words but its time.
function hitLine({ evidence }: Hit): string {
  const [row] = rowLines([evidence])
  return evidence.track === 'picture' ? (row?.line ?? '').replace(/: picture at .*$/, '') : (row?.line ?? '')
}

function soundNames(index: VideoIndex): string[] {
  return index
    .evidence({ tracks: ['sound'] })
    .map(({ text }) => text)
    .filter(text => !/^silence$|speech/i.test(text))
}
