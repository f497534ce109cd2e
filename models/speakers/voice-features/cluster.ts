import type { SpeakerTurn } from '../../../src/core/services.ts'
import { type Span } from '../../../src/core/time.ts'
import { cepstra, perSecond, type VoiceFrame } from './frames.ts'

interface Wish {
  count?: number
  threshold: number
  window: number
}

interface Part {
  start: number
  end: number
  vector: Float64Array
}

export function cluster(frames: readonly VoiceFrame[], spans: readonly Span[], wish: Wish): SpeakerTurn[] {
  const parts = spans.flatMap(span => partsOf(frames, span, wish.window))
  whiten(parts)
  let groups = parts.map((_, at) => [at])
  const distance = parts.map(a => parts.map(b => apart(a.vector, b.vector)))
  for (;;) {
    let [best, first, second] = [Number.POSITIVE_INFINITY, -1, -1]
    for (let i = 0; i < groups.length; i++)
      for (let j = i + 1; j < groups.length; j++) {
        const c = (g: number[]) => parts[0]!.vector.map((_, k) => g.reduce((x, at) => x + parts[at]!.vector[k]!, 0) / g.length)
        const mean = apart(c(groups[i]!), c(groups[j]!)) ** 2 * (groups[i]!.length * groups[j]!.length) / (groups[i]!.length + groups[j]!.length)
        if (mean < best) [best, first, second] = [mean, i, j]
      }
    if (first < 0) break
    if (wish.count !== undefined ? groups.length <= wish.count : best > wish.threshold) break
    groups[first]!.push(...groups[second]!)
    groups = groups.filter((_, at) => at !== second)
  }
  const speakers = new Map<number, number>()
  groups.forEach((group, speaker) => group.forEach(at => speakers.set(at, speaker)))
  if (process.env.DEBUG) console.error(groups.length, groups.map(g => g.length))
  // Each hundredth belongs to whom most windows over it belong to.
  const turns: SpeakerTurn[] = []
  for (const span of spans) {
    const own = parts.map((part, at) => ({ part, at })).filter(({ part }) => part.start < span.end && part.end > span.start)
    for (let time = span.start; time < span.end; time += 0.05) {
      const votes = new Map<number, number>()
      for (const { part, at } of own)
        if (part.start <= time && time < part.end) {
          const s = speakers.get(at) ?? 0
          const closeness = 1 - Math.abs((part.start + part.end) / 2 - time) / (part.end - part.start)
          votes.set(s, (votes.get(s) ?? 0) + closeness)
        }
      const speaker = [...votes].sort((a, b) => b[1] - a[1])[0]?.[0]
      if (speaker === undefined) continue
      const last = turns.at(-1)
      if (last && last.speaker === speaker && time - last.span.end < 0.06) last.span.end = Math.min(span.end, time + 0.05)
      else turns.push({ speaker, span: { start: time, end: Math.min(span.end, time + 0.05) } })
    }
  }
  return turns
}

function partsOf(frames: readonly VoiceFrame[], span: Span, window: number): Part[] {
  const parts: Part[] = []
  const length = span.end - span.start
  const step = window / 4
  for (let start = span.start; start === span.start || start + window <= span.end + step; start += step) {
    const end = Math.min(span.end, start + window)
    const from = length < window ? span.start : Math.max(span.start, end - window)
    const voiced = frames.slice(Math.floor(from * perSecond), Math.floor(end * perSecond)).filter(f => f.pitch > 0)
    if (voiced.length >= 15) parts.push({ start: from, end, vector: vectorOf(voiced) })
    if (end >= span.end) break
  }
  return parts
}

function vectorOf(frames: readonly VoiceFrame[]): Float64Array {
  const vector = new Float64Array(2 * cepstra + 2)
  for (let k = 0; k < cepstra; k++) {
    const mean = frames.reduce((sum, f) => sum + f.cepstrum[k]!, 0) / frames.length
    vector[k] = mean
    vector[cepstra + k] = Math.sqrt(frames.reduce((sum, f) => sum + (f.cepstrum[k]! - mean) ** 2, 0) / frames.length)
  }
  const logs = frames.map(f => Math.log2(f.pitch)).sort((a, b) => a - b)
  vector[2 * cepstra] = logs[Math.floor(logs.length / 2)]!
  vector[2 * cepstra + 1] = logs[Math.floor(logs.length * 0.9)]! - logs[Math.floor(logs.length * 0.1)]!
  return vector
}

function whiten(parts: readonly Part[]): void {
  const size = parts[0]?.vector.length ?? 0
  for (let k = 0; k < size; k++) {
    const values = parts.map(p => p.vector[k]!)
    const mean = values.reduce((a, b) => a + b, 0) / values.length
    const deviation = Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / values.length) || 1
    const weight = k < cepstra ? 1 : k < 2 * cepstra ? 0.3 : k === 2 * cepstra ? 1 : 0
    for (const part of parts) part.vector[k] = (weight * (part.vector[k]! - mean)) / deviation
  }
}

function apart(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let k = 0; k < a.length; k++) sum += (a[k]! - b[k]!) ** 2
  return Math.sqrt(sum / a.length)
}
