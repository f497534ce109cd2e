import type { Draft, WriteBrief } from '../../../../src/core/brief.ts'
import { damageAt } from '../../../../src/core/video.ts'
import type { Asked } from '../../../../src/text/question/asked.ts'

const all = ['picture', 'text', 'speech', 'sound'] as const

// A question about a moment that could not be decoded: what is there is not known, which is not the same as nothing.
export function damaged(asked: Asked, { coverage }: WriteBrief): Draft | undefined {
  if (!asked.span) return undefined
  const wanted = all.filter(track => asked.tracks.includes(track))
  if (!damageAt(coverage, wanted.length > 0 ? wanted : all, asked.span)) return undefined
  const text = 'That is not known: this part of the file could not be decoded.'
  return { sentences: [{ text, cites: [] }], abstained: true, confidence: 0.9 }
}
