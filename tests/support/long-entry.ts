import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { resolveConfig } from '../../src/config/resolve.ts'
import { type Finding, stamp } from '../../src/core/evidence.ts'
import type { StageWriter } from '../../src/core/stage.ts'
import type { Shot, Still, Video } from '../../src/core/video.ts'
import { encodeJpeg } from '../../src/media/image.ts'
import { locateVideo } from '../../src/runtime/index/locate-video.ts'
import { filePolicy, planStages } from '../../src/runtime/index/plan-stages.ts'
import { createRuntime } from '../../src/runtime/runtime.ts'
import { findOrMakeStage } from '../../src/store/stage/stage.ts'

// A library entry of many hours with as many rows as are wanted, in seconds instead of hours: the video is a minute that is repeated
// without coding it again, its speech is a subtitle file, and what models would find is written as the results of their stages.
// All else (chapters, coverage, full text, vectors) is made of it by the program itself.
export async function makeLongEntry(home: string, folder: string, { hours = 12, rows = 100_000 } = {}): Promise<Video> {
  const seconds = hours * 3600
  const of = { speech: Math.round(rows * 0.43), text: Math.round(rows * 0.3), sound: Math.round(rows * 0.2) }
  const shots = Math.max(1, rows - of.speech - of.text - of.sound)
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${hours}-hours.mkv`)
  repeatMinute(folder, path, hours * 60)
  writeFileSync(join(folder, `${hours}-hours.srt`), subtitles(seconds, of.speech))
  const config = await resolveConfig({ cwd: folder, environment: {}, search: false })
  const runtime = await createRuntime({ config, home, environment: {} })
  const signal = new AbortController().signal
  try {
    const { library, models, settings } = runtime
    const policy = filePolicy(settings.index)
    const video = await locateVideo(library, path, { ...policy, watch: () => {}, signal })
    const written: Record<string, (out: StageWriter, by: string) => Promise<unknown>> = {
      decode: out => decoded(out, video.duration, shots),
      text: (out, by) => out.lines('evidence.jsonl', evenly(video, by, 'text', of.text, slide)),
      sounds: (out, by) => out.lines('evidence.jsonl', evenly(video, by, 'sound', of.sound, noise)),
    }
    for (const planned of await planStages(video, models, settings.index, true)) {
      const make = written[planned.stage]
      if (!make || planned.skip !== undefined) continue
      const { stage, key, by, settings: chosen, inputs } = planned
      const about = { stage, key, by, settings: chosen, inputs, video: video.id, signal }
      const folder = library.videoFolder(video.id)
      await findOrMakeStage({ ...about, folder, make: async out => void (await make(out, by)) })
    }
    return (await runtime.videos.index(video.id)).video
  } finally {
    await runtime.close()
  }
}

// One frame in ten seconds: what is shown is not what is measured.
function repeatMinute(folder: string, path: string, times: number): void {
  const minute = join(folder, '.minute.mkv')
  const make = (...args: string[]) => execFileSync('ffmpeg', ['-v', 'error', '-y', '-nostdin', ...args])
  const picture = ['-f', 'lavfi', '-i', 'smptebars=s=160x90:r=0.1:d=60', '-c:v', 'libx264', '-g', '60']
  make(
    ...picture.slice(0, 4),
    '-f',
    'lavfi',
    '-i',
    'sine=d=60:r=16000',
    ...picture.slice(4),
    '-c:a',
    'libmp3lame',
    '-b:a',
    '8k',
    minute,
  )
  make('-stream_loop', String(times - 1), '-i', minute, '-c', 'copy', path)
  rmSync(minute)
}

const words = [
  ...['budget', 'river', 'window', 'teacher', 'garden', 'number', 'method', 'picture', 'station', 'answer', 'morning'],
  ...['paper', 'engine', 'market', 'letter', 'colour', 'minute', 'bridge', 'result', 'summer', 'harbour', 'circle'],
]
const wordOf = (at: number) => words[at % words.length]
const sentence = (at: number) =>
  `In part ${at} the ${wordOf(at)} and the ${wordOf(at * 7 + 3)} come before the ${wordOf(at * 13 + 5)}.`
const slide = (at: number) => `${wordOf(at * 5)} ${wordOf(at * 3 + 1)}\npage ${at}`
const noise = (at: number) => (at % 3 === 0 ? 'silence' : `beep near ${500 + (at % 40) * 25} Hz`)

function subtitles(seconds: number, count: number): string {
  const stamp = (time: number) => new Date(time * 1000).toISOString().slice(11, 23).replace('.', ',')
  const each = seconds / count
  const cue = (at: number) => `${at + 1}\n${stamp(at * each)} --> ${stamp((at + 0.9) * each)}\n${sentence(at)}\n`
  return Array.from({ length: count }, (_, at) => cue(at)).join('\n')
}

function* evenly(video: Video, by: string, track: Finding['track'], count: number, text: (at: number) => string) {
  const each = video.duration / count
  for (let at = 0; at < count; at++) {
    const span = { start: at * each, end: Math.min((at + 0.8) * each, video.duration) }
    yield stamp({ span, track, text: text(at), ...(track === 'text' && { confidence: 0.9 }) }, video.id, by)
  }
}

// Shots of equal length, and the same picture as the still of one shot in each ten.
async function decoded(out: StageWriter, seconds: number, count: number): Promise<void> {
  const each = seconds / count
  const shots: Shot[] = Array.from({ length: count }, (_, at) => ({
    ...{ start: at * each, end: (at + 1) * each, opens: at === 0 ? 'start' : 'cut' },
  }))
  const [width, height] = [160, 90]
  const jpeg = await encodeJpeg({ width, height, time: 0, rgb: new Uint8Array(width * height * 3).fill(90) })
  const sink = await out.bytes('stills.bin')
  await sink.write(jpeg)
  await sink.close()
  const stills: Still[] = shots.flatMap(({ start }, shot) =>
    shot % 10 === 0 ? [{ time: start, reason: 'shot', width, height, offset: 0, length: jpeg.length, shot }] : [],
  )
  await out.json('shots.json', shots)
  await out.json('stills.json', stills)
  const picture = { first: 0, last: seconds - 10, frames: seconds / 10, lasts: true }
  await out.json('report.json', { errors: 0, notes: [], picture, audio: { seconds }, level: 'balanced' })
}
