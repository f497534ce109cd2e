import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { figure } from '../faults/figure.ts'
import { h264, type MediaFolder, mediaFolder, picture } from '../media-fixtures.ts'

const bin = fileURLToPath(new URL('../../bin/longtake.mjs', import.meta.url))
const only = ['picture', 'text', 'sound'].flatMap(track => ['--set', `index.tracks.${track}=false`])

let media: MediaFolder
const homes: string[] = []
beforeAll(() => {
  media = mediaFolder()
})
afterAll(() => {
  media.remove()
  for (const home of homes) rmSync(home, { recursive: true, force: true })
})

// A video of ten seconds with this text beside it.
function videoWith(name: string, subtitles: string): string {
  const path = media.ffmpeg(`${name}.mp4`, picture(10), h264)
  writeFileSync(media.path(`${name}.srt`), subtitles)
  return path
}

function start(...argv: string[]) {
  const home = mkdtempSync(join(tmpdir(), 'longtake-interrupt-'))
  homes.push(home)
  const child = spawn(process.execPath, [bin, ...argv, ...only], {
    env: { PATH: process.env.PATH, LONGTAKE_HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    said += text
  })
  const ended = new Promise<number | null>(resolve => {
    child.on('close', resolve)
  })
  const says = (words: string) =>
    new Promise<void>(resolve => {
      const look = () => said.includes(words) && resolve()
      child.stderr.on('data', look)
      look()
    })
  return { child, ended, says }
}

const clock = (ms: number) => new Date(ms).toISOString().slice(11, 23).replace('.', ',')
const cues = (count: number, words: (at: number) => string) =>
  Array.from(
    { length: count },
    (_, at) => `${at + 1}\n${clock(at / 40)} --> ${clock(at / 40 + 900)}\n${words(at)}\n`,
  ).join('\n')

describe('fault 29: a signal ends the index of', () => {
  const long = (count: number) => cues(count, at => `line ${at} of a talk about the bridge number ${at % 977}`)

  test.each([
    ['SIGINT', 'subtitles: started', 300_000, 130],
    ['SIGINT', 'speech: started', 300_000, 130],
    ['SIGTERM', 'full-text: started', 60_000, 143],
  ] as const)('a long subtitle file within two seconds: %s at "%s", %d cues', async (signal, moment, count, code) => {
    const { child, ended, says } = start('index', '-v', videoWith(`long-${moment.slice(0, 3)}`, long(count)))
    await Promise.race([says(moment), ended])
    const began = performance.now()
    child.kill(signal)
    expect(await ended).toBe(code)
    const milliseconds = performance.now() - began
    figure(`${signal} ended it in ${(milliseconds / 1000).toFixed(1)} s`)
    expect(milliseconds).toBeLessThan(2000)
  })

  test.each([
    ['a word of 400,000 letters', 'a'.repeat(400_000)],
    ['a voice without an end', `<v${' '.repeat(1_000_000)}`],
    ['400,000 letters of a script without spaces', '汉'.repeat(400_000)],
  ])('%s is not even needed: it takes seconds', async (_, text) => {
    const path = videoWith('hostile', `1\n00:00:01,000 --> 00:00:02,000\n${text}\n`)
    const { ended } = start('index', path)
    expect(await ended).toBe(0)
  })
})
