import { emptySpans } from '../../../src/core/basics/gaps.ts'
import { type Evidence, stamp } from '../../../src/core/evidence.ts'
import { speakingTimes } from '../../../src/core/speakers.ts'
import { gapsBetween, overlap, type Span, spanLength, touches } from '../../../src/core/time.ts'
import { type Coverage, damageAt, type Overview, type Shot, toldTracks, type Video } from '../../../src/core/video.ts'
import { centralLines, countWords, keywords, type WordCounts } from './central-lines.ts'

const MIN_CHAPTER = 20
const MAX_CHAPTERS = 24

// What can be said of the whole video without a model: chapters cut where the talk and the picture change, each with
// its heading on screen or its own words, and its most central lines.
export async function buildOverview(
  { video, signal }: { video: Video; signal: AbortSignal },
  coverage: Coverage,
  shots: Shot[],
  evidence: Evidence[],
): Promise<Overview> {
  const speakers = [...new Set(evidence.flatMap(row => (row.speaker ? [row.speaker] : [])))]
  const speaking = speakers.length > 0 ? { speaking: speakingTimes(evidence) } : {}
  const everywhere = await countWords(evidence, signal)
  const lost = lostSpans(coverage)
  const chapters: Overview['chapters'] = []
  for (const span of chapterSpans(video.duration, shots, evidence).flatMap(span => cutAt(lost, span))) {
    const chapter = await buildChapter(span, evidence, everywhere, signal)
    const isLost = chapter.summary === '' && damageAt(coverage, ['picture', 'text', 'speech', 'sound'], span)
    chapters.push(isLost ? { ...chapter, title: 'could not be decoded' } : chapter)
  }
  const notIndexed = listUnindexed(coverage)
  return { duration: video.duration, shots: shots.length, speakers, ...speaking, chapters, notIndexed }
}

// Where nothing of the video could be decoded.
function lostSpans(coverage: Coverage): Span[] {
  const present = (['picture', 'speech', 'sound', 'text'] as const).map(track => coverage[track])
  if (!present.some(({ state }) => state === 'partial')) return []
  const seen = present.flatMap(({ spans }) => spans)
  return gapsBetween(seen, { start: 0, end: coverage.duration }).filter(gap => spanLength(gap) > 1)
}

// A chapter does not reach over such a part, which is one of its own.
function cutAt(lost: readonly Span[], span: Span): Span[] {
  const inside = lost.filter(gap => overlap(gap, span) > 0)
  if (inside.length === 0) return [span]
  const missing = inside.map(gap => ({ start: Math.max(gap.start, span.start), end: Math.min(gap.end, span.end) }))
  return [...gapsBetween(missing, span), ...missing]
    .filter(part => spanLength(part) > 1)
    .sort((a, b) => a.start - b.start)
}

// The chapters as rows that can be searched and cited.
export function overviewRows(video: Video, overview: Overview): Evidence[] {
  return overview.chapters
    .filter(chapter => chapter.summary !== '')
    .map(chapter =>
      stamp(
        { span: chapter.span, track: 'summary', text: `${chapter.title}: ${chapter.summary}` },
        video.id,
        'overview/extract',
      ),
    )
}

function listUnindexed(coverage: Coverage): string[] {
  return toldTracks(coverage, ['picture', 'speech', 'sound', 'text']).flatMap(({ name, track }) =>
    track.state === 'indexed' && emptySpans(track).length === 0 ? [] : [`${name}: ${track.note ?? track.state}`],
  )
}

// Cuts at shot boundaries, wanting chapters of a length that grows with the video; the best boundary is the one nearest
// to the wished place around which no line is being spoken and where the text on screen changes.
function chapterSpans(duration: number, shots: Shot[], evidence: Evidence[]): Span[] {
  const minimum = Math.max(MIN_CHAPTER, Math.min(600, duration / Math.min(MAX_CHAPTERS, Math.max(3, duration / 60))))
  const speech = evidence.filter(row => row.track === 'speech')
  const text = evidence.filter(row => row.track === 'text')
  const places = shots.slice(1).map(shot => shot.start)
  const spans: Span[] = []
  let start = 0
  while (duration - start > minimum * 1.5) {
    const wish = start + minimum
    const near = places.filter(
      place => place > start + minimum * 0.5 && place < Math.min(start + minimum * 1.5, duration - minimum * 0.4),
    )
    const around = { start: start + minimum * 0.5 - 1, end: start + minimum * 1.5 + 1 }
    const nearSpeech = speech.filter(row => touches(row.span, around))
    const nearText = text.filter(row => touches(row.span, around))
    const cost = (place: number) =>
      Math.abs(place - wish) / minimum +
      (nearSpeech.some(row => row.span.start < place - 0.2 && row.span.end > place + 0.2) ? 0.5 : 0) -
      (nearText.some(row => Math.abs(row.span.start - place) < 1) ? 0.4 : 0)
    const { place: end } = near
      .map(place => ({ place, cost: cost(place) }))
      .reduce((a, b) => (b.cost < a.cost ? b : a), { place: wish, cost: Number.POSITIVE_INFINITY })
    spans.push({ start, end })
    start = end
  }
  spans.push({ start, end: duration })
  return spans.filter(span => span.end > span.start)
}

async function buildChapter(
  span: Span,
  evidence: Evidence[],
  everywhere: WordCounts,
  signal: AbortSignal,
): Promise<Overview['chapters'][number]> {
  const inside = evidence.filter(
    row => touches(row.span, span) && overlap(row.span, span) >= Math.min(1, spanLength(row.span) / 2),
  )
  const spoken = inside.filter(row => row.track === 'speech')
  const textRows = inside.filter(row => row.track === 'text')
  const central = await centralLines(spoken, everywhere, 2, signal)
  const headings = textRows
    .map(row => ({ row, line: row.text.split('\n', 1).join('').trim() }))
    .filter(({ line }) => line.length >= 3)
  // The first heading that stays: a sign that flashes by names no chapter.
  const longest = headings.reduce((most, { row }) => Math.max(most, spanLength(row.span)), 0)
  const heading = headings.find(({ row }) => spanLength(row.span) >= longest * 0.6)
  const sounds = inside.filter(row => row.track === 'sound' && !/^silence/i.test(row.text)).slice(0, 2)
  const title =
    heading?.line ?? ((await keywords(spoken, everywhere, 3, signal)).join(', ') || (sounds[0]?.text ?? 'no words'))
  const parts = [
    ...headings.slice(0, 3).map(({ row }) => ({ row, words: `on screen "${row.text.split('\n').join(' / ')}"` })),
    ...central.map(row => ({ row, words: `said "${row.text}"` })),
    ...(central.length === 0 && headings.length === 0 ? sounds.map(row => ({ row, words: `heard ${row.text}` })) : []),
  ]
  return { span, title, summary: parts.map(part => part.words).join('; '), cites: parts.map(part => part.row.id) }
}
