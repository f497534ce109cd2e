import { UsageError } from '../../../src/core/errors.ts'
import type { Level } from '../../metrics/statistics/alpha.ts'

// What can be said of an answer, each verdict as a number. `credit` is what the verdict is worth, 0 to 1.
interface ScaleOf {
  words: readonly string[] // by number: how a person writes it
  level: Level
  credit(verdict: number): number | null
}

export const scales = {
  grade: { words: ['A', 'B', 'C'], level: 'nominal', credit: verdict => Number(verdict === 0) }, // correct, incorrect, not attempted
  yes: { words: ['false', 'true'], level: 'nominal', credit: verdict => verdict },
  score: { words: Array.from({ length: 11 }, (_, i) => String(i)), level: 'interval', credit: verdict => verdict / 10 },
  look: { words: ['0', '1', '2'], level: 'nominal', credit: verdict => (verdict === 2 ? null : verdict) }, // 2: one must look at the video
} satisfies Record<string, ScaleOf>
export type Scale = keyof typeof scales

export function computeCredit(scale: Scale, verdict: number): number | null {
  return scales[scale].credit(verdict)
}

// A verdict as somebody wrote it; undefined if the cell is empty.
export function readScaled(scale: Scale, written: unknown, place: string): number | undefined {
  const text = String(written ?? '').trim()
  if (text === '') return undefined
  const { words } = scales[scale]
  const plain = (scale === 'yes' && words[['0', '1'].indexOf(text)]) || text
  const verdict = words.findIndex(word => word.toLowerCase() === plain.toLowerCase())
  if (verdict >= 0) return verdict
  throw new UsageError(`${place}: "${text}" is not a verdict.`, { hint: `Write one of: ${words.join(', ')}.` })
}
