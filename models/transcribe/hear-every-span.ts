import type { Finding } from '../../src/core/evidence.ts'
import { mergeSpans, overlap, type Span } from '../../src/core/time.ts'
import { notUnderstood } from '../../src/core/words/not-understood.ts'

type Hear = (spans: Span[]) => AsyncIterable<Finding>

const near = 0.5 // spans closer than this are one
const pad = 0.2 // seconds that a word may lie beside the voice
const maxRounds = 3

// Recognisers lose sentences among others, so a part of a voiced span that got no line is heard again on its own, as long as that
// brings a line. Lines are cut to the voices that they were heard in.
export async function* hearEverySpan(spans: readonly Span[], hear: Hear): AsyncGenerator<Finding> {
  const voiced = mergeSpans(spans, near)
  const spansLeft = [...voiced]
  const heardSpans: Span[] = []
  let lines: Finding[] = []
  const wasHeardAlone = ({ start, end }: Span) =>
    spans.length === 1 && start === spans[0]?.start && end === spans[0].end
  async function* settle(span: Span) {
    for (const unheardSpan of notUnderstood([span], heardSpans))
      if (!wasHeardAlone(unheardSpan)) lines.push(...(await hearPart(unheardSpan, hear)))
    lines.sort((a, b) => a.span.start - b.span.start)
    yield* lines.filter(line => line.span.start < span.end)
    lines = lines.filter(line => line.span.start >= span.end)
  }
  for await (const heard of hear([...spans])) {
    while (spansLeft[0] && spansLeft[0].end + pad < heard.span.start) yield* settle(spansLeft.shift()!)
    const line = cutToVoices(heard, voiced)
    heardSpans.push(...lineSpans(line))
    lines.push(...line)
  }
  while (spansLeft[0]) yield* settle(spansLeft.shift()!)
  yield* lines
}

async function hearPart(part: Span, hear: Hear, round = 1): Promise<Finding[]> {
  const cutLines: Finding[] = []
  for await (const line of hear([part])) cutLines.push(...cutToVoices(line, [part]))
  if (cutLines.length === 0 || round === maxRounds) return cutLines
  for (const rest of notUnderstood([part], lineSpans(cutLines)))
    cutLines.push(...(await hearPart(rest, hear, round + 1)))
  return cutLines
}

function lineSpans(lines: readonly Finding[]): Span[] {
  return lines.map(({ span }) => span)
}

// A line ends with the voice that said it. Words are cut to the first voice that they lie in.
function cutToVoices(line: Finding, voices: readonly Span[]): Finding[] {
  const heard = voices.filter(voice => overlap(line.span, voice) > 0)
  const [first, last] = [heard[0], heard.at(-1)]
  if (!first || !last) return []
  const hull = { start: Math.max(line.span.start, first.start - pad), end: Math.min(line.span.end, last.end + pad) }
  if (!line.words?.length) return [{ ...line, span: hull }]
  const words = line.words.map(word => ({ ...word, ...cutWord(word, heard) }))
  const span = { start: Math.max(hull.start, words[0]!.start), end: Math.min(hull.end, words.at(-1)!.end) }
  return [{ ...line, span: span.end > span.start ? span : hull, words }]
}

function cutWord(word: Span, voices: readonly Span[]): Span {
  const voice = voices.find(({ start, end }) => word.start < end + pad && word.end > start - pad)
  if (!voice) return word
  const start = Math.max(word.start, voice.start - pad)
  return { start, end: Math.max(start, Math.min(word.end, voice.end + pad)) }
}
