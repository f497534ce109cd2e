import { z } from 'zod'
import { Track } from '../../core/evidence.ts'
import type { Operation } from '../../core/operation.ts'
import { personLine } from '../../core/people.ts'
import { formatMoment, type Span } from '../../core/time.ts'
import type { VideoIndex } from '../../core/video.ts'
import { countPhrase } from '../../core/words/counted.ts'
import { isTelling } from '../../core/words/index-lines.ts'
import { visibleFileName } from '../../core/words/visible-text.ts'
import { gapLines } from './gaps.ts'
import { untilInput, videoInput } from './inputs.ts'
import { eachPart, openTimeline, type SourcePart } from './source.ts'

const maxChapters = 60
const maxPeople = 30
const maxSummary = 300 // characters
const wholeFilm = 1200 // seconds that are read in a page or two

const input = z.object({ video: videoInput, until: untilInput })

export const overviewOperation: Operation<typeof input> = {
  name: 'overview',
  description:
    'What is known of a video: length, chapters, people, how many rows of each track, what could not be looked at, who answers "ask". Call it first.',
  input,
  async run({ video, until }, memory) {
    const source = await openTimeline(memory, video, until)
    const span = { start: 0, end: source.duration }
    const parts = await eachPart(memory, source, span, (index, _, part) => describePart(index, part))
    const next =
      source.duration <= wholeFilm
        ? 'Next: read without times (all of it), then view what no row says.'
        : 'Next: find words, then read a minute around each hit; view what no row says.'
    const cut = source.until === undefined ? '' : ` (cut off there: as of then)`
    return {
      head: [
        `${formatMoment(source.duration)} long${cut}${parts.length > 1 ? `, ${parts.length} videos on one clock` : ''}.`,
        ...(parts.length === 1 ? parts.map(({ about }) => about.join('\n')) : []),
        ...(parts.some(({ isWritten }) => !isWritten)
          ? ['Chapters are named by one line of each: they are for finding, not for answering.']
          : []),
        `"ask" is answered by ${await memory.answerer()}.`,
      ].join('\n'),
      lines: parts.flatMap(({ name, about, lines }) => [
        parts.length === 1 ? name : `${name}: ${about.join(' ')}`,
        ...lines,
      ]),
      next,
    }
  },
}

function describePart(index: VideoIndex, { offset, video }: SourcePart) {
  const { coverage, people, shots, stills } = index
  const times = ({ start, end }: Span) => `${formatMoment(start + offset)}-${formatMoment(end + offset)}`
  const rows = index.evidence().filter(isTelling)
  const counts = Track.options.flatMap(track => {
    const count = rows.filter(row => row.track === track).length
    return count === 0 || track === 'shot' ? [] : [`${track} ${count}`]
  })
  const gaps = gapLines(coverage, offset)
  const { chapters, by } = index.overview
  const isWritten = by !== undefined // else a title is a line of the video, and the summary more of them
  return {
    isWritten,
    name: `video ${visibleFileName(video.name)} (${video.id})${offset > 0 ? ` from ${formatMoment(offset)}` : ''}`,
    about: [
      `${countPhrase(shots.length, 'shot')}, ${countPhrase(stills.length, 'picture')}. Rows: ${counts.join(', ') || 'none'}.`,
      ...(gaps.length > 0 ? [`Not looked at: ${gaps.join('; ')}.`] : []),
    ],
    lines: [
      ...(index.overview.whole ?? []).map(({ text }) => text),
      ...chapters
        .slice(0, maxChapters)
        .map(
          ({ span, title, summary }) =>
            `${times(span)} ${title}${isWritten ? `: ${summary.slice(0, maxSummary)}` : ''}`,
        ),
      ...(chapters.length > maxChapters ? [`... ${chapters.length - maxChapters} more chapters`] : []),
      ...(people?.people ?? []).slice(0, maxPeople).map(personLine),
    ],
  }
}
