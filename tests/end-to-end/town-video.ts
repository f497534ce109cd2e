import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { renderVideo } from '../../src/media/render/render-video.ts'
import type { AudioCue, Scene, Script } from '../../src/media/render/scene.ts'
import { copyFixture } from '../support/shared-fixture.ts'
import { longtake } from './longtake.ts'

const fps = 25

// Half a minute with known truth: three pictures, two spoken facts, two beeps.
export const town: Script = {
  title: 'town',
  width: 640,
  height: 360,
  fps,
  scenes: [
    slide(10, '#123a66', ['Museum opening hours', 'Tuesday to Sunday', 'Room 204']),
    slide(9, '#7a1f1f', ['Ticket prices', 'Adults 12 euro', 'Children free']),
    slide(11, '#1f5a2c', ['How to get here', 'Bus line 31']),
  ],
  cues: [
    say(1, 'The museum has seven hundred paintings and a small garden.'),
    beep(11),
    say(12.5, 'The first tour starts in the morning at ten.'),
    beep(20),
    say(22, 'Please leave your bags with the people at the door.'),
  ],
}

export async function renderTown(path: string): Promise<void> {
  const { signal } = new AbortController()
  await copyFixture(path, town, async made => void (await renderVideo(town, made, { signal })))
}

// Its first six seconds, a slide and a sentence: for what needs something of each track, and as little time as that takes.
export async function renderTownStart(path: string): Promise<void> {
  await copyFixture(path, { town, is: 'start' }, async made => {
    const whole = `${made}.whole.mp4`
    await renderTown(whole)
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', whole, '-t', '6', '-c', 'copy', '-f', 'mp4', made])
    rmSync(whole)
  })
}

// A folder with the video and a data folder in which it is indexed: town.mp4 and home.
export async function indexedTown(folder: string): Promise<{ video: string; home: string }> {
  const placed = (folder: string) => ({ video: join(folder, 'town.mp4'), home: join(folder, 'home') })
  await copyFixture(folder, { town, is: 'indexed' }, async made => {
    const { video, home } = placed(made)
    await renderTown(video)
    const { code, err } = await longtake(['index', video, '--profile', 'embedded'], { home })
    if (code !== 0) throw new Error(err)
  })
  return placed(folder)
}

function slide(seconds: number, colour: `#${string}`, lines: string[]): Scene {
  return {
    frames: seconds * fps,
    opens: { kind: 'cut' },
    background: { kind: 'plain', colour },
    texts: lines.map((text, row) => ({ text, size: 0.1, at: { x: 0.08, y: 0.12 + row * 0.25 }, colour: '#ffffff' })),
    things: [],
  }
}

function say(second: number, text: string): AudioCue {
  return { kind: 'speech', at: Math.round(second * fps), text, voice: 'rms' }
}

function beep(second: number): AudioCue {
  return { kind: 'sound', at: Math.round(second * fps), sound: 'beep', frames: 20 }
}
