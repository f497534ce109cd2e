import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { h264, mediaFolder, picture, tone } from '../media-fixtures.ts'

const media = mediaFolder()
const inbox = media.path('inbox')
const bin = join(import.meta.dirname, '..', '..', 'bin', 'longtake.mjs')

interface Line {
  type: string
  event?: string
  id?: string
  path?: string
  stage?: string
  state?: string
  stages?: { state: string }[]
}

beforeAll(() => {
  mkdirSync(inbox)
  media.ffmpeg('one.mp4', picture(20), tone(20), h264, '-shortest')
  media.ffmpeg('two.mp4', picture(4), tone(4), h264, '-shortest')
})
afterAll(() => media.remove())

function watchInbox() {
  const quick = ['--set', 'watch.every=0.2', '--set', 'watch.still=0.5', '--set', 'models.readText.backend=off']
  const environment = { ...process.env, LONGTAKE_HOME: media.path('home'), LONGTAKE_CONFIG: undefined }
  const child = spawn(
    process.execPath,
    [bin, 'index', '--watch', inbox, '--ndjson', '--profile', 'embedded', ...quick],
    {
      env: environment,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const lines: Line[] = []
  createInterface({ input: child.stdout }).on('line', line => lines.push(JSON.parse(line) as Line))
  const events = (name: string) => lines.filter(line => line.event === name)
  return { child, lines, events }
}

test('a file that is replaced while it is indexed is indexed as it is then; a restart finds it; a damaged one is said once', async () => {
  const first = watchInbox()
  copyFileSync(media.path('one.mp4'), join(inbox, 'talk.mp4'))
  await vi.waitFor(() => expect(first.lines.some(line => line.stage === 'decode')).toBe(true), 60_000)
  copyFileSync(media.path('two.mp4'), media.path('new.mp4'))
  renameSync(media.path('new.mp4'), join(inbox, 'talk.mp4'))
  writeFileSync(join(inbox, 'broken.mp4'), 'not a video')
  await vi.waitFor(
    () => expect(first.events('failed').map(line => line.path)).toContain(join(inbox, 'broken.mp4')),
    60_000,
  )
  await vi.waitFor(() => expect(first.events('indexed')).not.toEqual([]), 60_000)
  const { id } = first.events('indexed').at(-1) ?? {}
  const before = first.events('failed').filter(line => line.path?.endsWith('broken.mp4'))
  expect(before).toHaveLength(1)
  first.child.kill('SIGKILL')
  await once(first.child, 'close')

  const second = watchInbox()
  await vi.waitFor(() => expect(second.events('indexed')).toHaveLength(1), 60_000)
  await vi.waitFor(() => expect(second.events('failed')).toHaveLength(1), 60_000)
  expect(second.events('indexed')[0]?.id).toBe(id)
  expect(second.events('indexed')[0]?.stages?.filter(({ state }) => state === 'done')).toEqual([])
  copyFileSync(media.path('two.mp4'), join(inbox, 'broken.mp4'))
  await vi.waitFor(() => expect(second.events('indexed')).toHaveLength(2), 60_000)
  second.child.kill('SIGINT')
  const [code] = await once(second.child, 'close')
  expect(code).toBe(130)
})
