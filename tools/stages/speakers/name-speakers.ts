import { byTime, type Evidence, stamp, type Word } from '../../../src/core/evidence.ts'
import type { SpeakerTurn } from '../../../src/core/services.ts'
import { speakerName } from '../../../src/core/speakers.ts'
import { overlap, type Span, spanLength } from '../../../src/core/time.ts'

const near = 0.5 // seconds: what is said this close to a turn belongs to it
const shortest = 0.4 // seconds: one word this short between two of another speaker is an error of a boundary

interface LinePart {
  line: Evidence
  speaker?: number
}

// The lines with their speakers, numbered in the order in which they first speak; what no turn is near to has none.
export function nameSpeakers(
  lines: readonly Evidence[],
  turns: readonly SpeakerTurn[],
): { lines: Evidence[]; turns: { span: Span; speaker: string }[] } {
  const sorted = [...turns].sort(byTime)
  const parts = [...lines].sort(byTime).flatMap(line => splitParts(line, sorted))
  const numbers = new Map<number, number>()
  for (const { speaker } of [...parts, ...sorted])
    if (speaker !== undefined && !numbers.has(speaker)) numbers.set(speaker, numbers.size + 1)
  const nameOf = (speaker: number) => speakerName(numbers.get(speaker) ?? 0)
  return {
    lines: parts.map(({ line, speaker }) => (speaker === undefined ? line : { ...line, speaker: nameOf(speaker) })),
    turns: sorted.map(({ span, speaker }) => ({ span, speaker: nameOf(speaker) })),
  }
}

// A line as it was, or one for each run of words by one speaker.
function splitParts(line: Evidence, turns: readonly SpeakerTurn[]): LinePart[] {
  const around = turns.filter(({ span }) => span.end > line.span.start - near && span.start < line.span.end + near)
  const words = line.words ?? []
  const [first = { speaker: undefined, words: [] }, ...others] = splitRuns(words, around)
  if (others.length === 0) return [{ line, speaker: words.length > 0 ? first.speaker : speakerAt(line.span, around) }]
  const texts = splitText(line.text, [first, ...others])
  return [first, ...others].map((run, at) => ({
    line: buildPart(line, run.words, texts[at] ?? ''),
    speaker: run.speaker,
  }))
}

interface Run {
  speaker?: number
  words: Word[]
}

function splitRuns(words: readonly Word[], turns: readonly SpeakerTurn[]): Run[] {
  const runs: Run[] = []
  const add = (speaker: number | undefined, words: Word[]) => {
    const last = runs.at(-1)
    if (last && (last.speaker === speaker || speaker === undefined || last.speaker === undefined)) {
      last.words.push(...words)
      last.speaker ??= speaker
    } else runs.push({ speaker, words })
  }
  for (const word of words) add(speakerAt(word, turns), [word])
  const strays = runs.map(
    ({ words }, at) =>
      at > 0 &&
      at < runs.length - 1 &&
      words.length === 1 &&
      measureLength(words) < shortest &&
      runs[at - 1]?.speaker === runs[at + 1]?.speaker,
  )
  const earlierRuns = runs.splice(0)
  for (const [at, run] of earlierRuns.entries()) add(strays[at] ? earlierRuns[at - 1]?.speaker : run.speaker, run.words)
  return runs
}

// Whoever speaks during most of it, else whoever speaks nearest to it.
function speakerAt(span: Span, turns: readonly SpeakerTurn[]): number | undefined {
  const shares = new Map<number, number>()
  for (const turn of turns) {
    const shared = overlap(turn.span, span)
    const gap = Math.max(turn.span.start - span.end, span.start - turn.span.end, 0)
    const worth = shared > 0 ? shared : gap <= near ? -gap : undefined
    if (worth === undefined) continue
    const before = shares.get(turn.speaker)
    shares.set(
      turn.speaker,
      before === undefined || before <= 0 ? Math.max(worth, before ?? worth) : before + Math.max(0, worth),
    )
  }
  return [...shares].sort((a, b) => b[1] - a[1])[0]?.[0]
}

function measureLength(words: readonly Word[]): number {
  return spanLength(computeSpan(words))
}

function computeSpan(words: readonly Word[]): Span {
  return { start: words.at(0)?.start ?? 0, end: words.at(-1)?.end ?? 0 }
}

// The text of each run cut out of the line's own, which has the punctuation; joined from the words where they are not found in it.
function splitText(text: string, runs: readonly Run[]): string[] {
  const starts: number[] = []
  let from = 0
  for (const { words } of runs) {
    let start = -1
    for (const { text: word } of words) {
      const at = text.indexOf(word.trim(), from)
      if (at < 0) return runs.map(run => run.words.map(one => one.text.trim()).join(' '))
      if (start < 0) start = at
      from = at + word.trim().length
    }
    starts.push(start)
  }
  return starts.map((start, at) => text.slice(at === 0 ? 0 : start, starts[at + 1]).trim())
}

function buildPart(line: Evidence, words: Word[], text: string): Evidence {
  const { id: _, video, by, confidence, ...finding } = line
  const measured = words.flatMap(word => word.confidence ?? [])
  const mean = Math.round((measured.reduce((sum, one) => sum + one, 0) / measured.length) * 1000) / 1000
  const sure = measured.length > 0 ? mean : confidence
  const span = {
    start: Math.max(line.span.start, computeSpan(words).start),
    end: Math.min(line.span.end, computeSpan(words).end),
  }
  return stamp({ ...finding, span, text, words, ...(sure === undefined ? {} : { confidence: sure }) }, video, by)
}
