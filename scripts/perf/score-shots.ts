import { readFile } from 'node:fs/promises'
import { shotFinders } from '../../models/shots/index.ts'
import { Config } from '../../src/config/schema.ts'
import type { Host } from '../../src/core/backend.ts'
import type { Boundary } from '../../src/core/services.ts'
import { decodePass } from '../../src/media/pass/decode-pass.ts'
import { probe } from '../../src/media/probe/probe.ts'
import { keyframeShots } from '../../tools/stages/decode/keyframe-shots.ts'

interface Truth {
  fps: number
  cuts: { f: number; slide?: boolean }[]
  grads: { a: number; b: number }[]
}

// Finds the shots of generated videos whose truth lies beside them, at each level, and writes the boundaries as frame numbers.
// `scorer` is a module that exports score(truth, frames) and fmt(result).
const [scorerPath, ...videos] = process.argv.slice(2)
if (!scorerPath) throw new Error('Usage: npx tsx scripts/perf/score-shots.ts SCORER VIDEO...')
const scorer = (await import(scorerPath)) as {
  score(truth: Truth, frames: number[]): unknown
  fmt(result: unknown): string
}
for (const path of videos) {
  const truth = JSON.parse(await readFile(path.replace(/\.mp4$/, '.gt.json'), 'utf8')) as Truth
  for (const level of ['thorough', 'balanced', 'quick'] as const) {
    const finder = level === 'quick' ? keyframeShots() : await shotFinders.open('frame-difference', {}, {} as Host)
    const boundaries: Boundary[] = []
    const small = (frame: Parameters<typeof finder.push>[0]) => void boundaries.push(...finder.push(frame))
    await decodePass(
      await probe(path),
      { ...Config.parse({}).index, level, decoder: 'software' },
      { small },
      new AbortController().signal,
    )
    boundaries.push(...finder.finish())
    const frames = boundaries.map(({ time }) => Math.round(time * truth.fps))
    console.log(`${path} ${level}: ${scorer.fmt(scorer.score(truth, frames))}`)
  }
}
