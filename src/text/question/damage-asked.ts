import { formatTime, type Span } from '../../core/time.ts'
import { type Coverage, damageAt } from '../../core/video.ts'
import { statedTimes } from '../times-in-prose.ts'

const seen = ['picture', 'text'] as const
const heard = ['speech', 'sound'] as const

// The tracks that a question is about, by its words; all of them where they do not say.
export function tracksAsked(question: string) {
  const looks = /\b(screen|shown?|shows|see|seen|visible|written|text|picture|slide|looks?|wear\w*|colou?rs?)\b/i.test(
    question,
  )
  const listens = /\b(says?|said|speaks?|spoken|talk\w*|hear|heard|sounds?|noise|music|mention\w*)\b/i.test(question)
  return looks === listens ? [...seen, ...heard] : looks ? seen : heard
}

// A question that names a moment which could not be decoded is answered by saying so: nothing was found there because nothing was seen.
export function damageAsked(question: string, coverage: Coverage): string | undefined {
  for (const span of statedTimes(question).map(({ seconds }) => coverSpan(seconds))) {
    const lost = tracksAsked(question).flatMap(track => {
      const gap = damageAt(coverage, [track], span)
      return gap ? [{ track, gap }] : []
    })
    const [first] = lost
    if (!first) continue
    const { start, end } = first.gap
    const names = lost.map(({ track }) => track).join(', ')
    return `${formatTime(start)}-${formatTime(end)} of the file could not be decoded (${names}), so what is there is not known.`
  }
}

function coverSpan(seconds: readonly number[]): Span {
  const start = Math.max(0, Math.min(...seconds))
  const end = Math.max(start, ...seconds)
  return end > start ? { start, end } : { start: Math.max(0, start - 1), end: start + 1 }
}
