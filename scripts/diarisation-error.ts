import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { speakerFinders } from '../models/speakers/index.ts'
import type { SpeakerTurn } from '../src/core/services.ts'
import type { Span } from '../src/core/time.ts'
import type { AudioSource } from '../src/core/video.ts'
import { runProgram } from '../src/media/program/run-program.ts'

// The diarisation error rate of a backend over one sound whose turns are known, where two speak at once too, and with a collar if one is
// given: so many seconds around each beginning and end of a turn do not count.
//   npx tsx scripts/diarisation-error.ts talk.wav talk.rttm sherpa '{"count": 2}' 0.25

const [sound = '', truth = '', name = 'sherpa', settings = '{}', collar = '0'] = process.argv.slice(2)
const rate = 16_000 as const
const signal = new AbortController().signal
const { stdout } = await runProgram(
  'ffmpeg',
  ['-v', 'error', '-i', sound, '-ac', '1', '-ar', `${rate}`, '-f', 'f32le', '-'],
  { signal },
)
const samples = new Float32Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length))
const duration = samples.length / rate
const host = { folder: tmpdir(), environment: process.env, signal, say: console.error }
const finder = await speakerFinders.open(name, JSON.parse(settings), host)
const began = performance.now()
const found: SpeakerTurn[] = []
const audio = {
  duration,
  rate,
  read: async ({ start, end }: Span) => samples.slice(start * rate, end * rate),
} satisfies AudioSource
for await (const turn of finder.turns(audio, signal)) found.push(turn)
const seconds = (performance.now() - began) / 1000
await finder.close?.()

const lines = (await readFile(truth, 'utf8'))
  .trim()
  .split('\n')
  .map(line => line.split(/\s+/))
const wanted = lines.map(([, , , start, length, , , who = '']) => ({
  ...{ span: { start: Number(start), end: Number(start) + Number(length) }, speaker: who },
}))
const speakers = [...new Set(found.map(turn => turn.speaker))]
const steps = Math.ceil(duration * 100)
const during = <Who>(turns: { span: SpeakerTurn['span']; speaker: Who }[], step: number) =>
  new Set(turns.filter(({ span }) => span.start <= step / 100 && step / 100 < span.end).map(turn => turn.speaker))
const counts = (step: number) =>
  !wanted.some(({ span }) => [span.start, span.end].some(edge => Math.abs(edge - step / 100) < Number(collar)))
const frames = Array.from({ length: steps }, (_, step) => step)
  .filter(counts)
  .map(step => ({ real: during(wanted, step), told: during(found, step) }))
const spoken = frames.reduce((sum, { real }) => sum + real.size, 0)

// The best one-to-one naming of the speakers that were found, by trying all.
function best(names: Map<number, string>, left: readonly string[]): number {
  const [who, ...others] = left
  if (who === undefined) {
    const right = ({ real, told }: (typeof frames)[number]) =>
      [...told].filter(one => real.has(names.get(one) ?? '')).length
    return frames.reduce((sum, frame) => sum + Math.max(frame.real.size, frame.told.size) - right(frame), 0)
  }
  const free = speakers.filter(speaker => !names.has(speaker))
  return Math.min(best(names, others), ...free.map(speaker => best(new Map([...names, [speaker, who]]), others)))
}
const errors = best(new Map(), [...new Set(wanted.map(turn => turn.speaker))])
console.log(
  `${speakers.length} speakers, error ${((100 * errors) / spoken).toFixed(1)} %, ${(duration / seconds).toFixed(0)} times real time`,
)
