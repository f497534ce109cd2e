import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Video } from '../../../src/core/video.ts'
import { openSource, sourceReply } from './media.ts'

let folder: string
const place = (...names: string[]) => join(folder, ...names)
const video = (bytes = 5) => ({ path: place('in', 'a.mp4'), bytes, container: 'mov,mp4' }) as Video

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'longtake-source-')))
  mkdirSync(place('in'))
  mkdirSync(place('out'))
  writeFileSync(place('in', 'a.mp4'), 'video')
  writeFileSync(place('out', 'a.mp4'), 'other')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the file that was probed is served', async () => {
  expect(await (await sourceReply(video(), 'GET', undefined)).text()).toBe('video')
  expect(await (await sourceReply(video(), 'GET', 'bytes=1-2')).text()).toBe('id')
})

test('a link in its place, or in the place of its folder, is refused', async () => {
  rmSync(place('in', 'a.mp4'))
  symlinkSync(place('out', 'a.mp4'), place('in', 'a.mp4'))
  await expect(openSource(video())).rejects.toThrow('is missing')
  renameSync(place('in'), place('was'))
  symlinkSync(place('out'), place('in'))
  await expect(openSource(video())).rejects.toThrow('is missing')
})

test('a folder, a pipe and what is gone are refused without waiting', async () => {
  rmSync(place('in', 'a.mp4'))
  await expect(openSource(video())).rejects.toThrow('is missing')
  execFileSync('mkfifo', [place('in', 'a.mp4')])
  await expect(openSource(video())).rejects.toThrow('is missing')
  rmSync(place('in', 'a.mp4'))
  mkdirSync(place('in', 'a.mp4'))
  await expect(openSource(video())).rejects.toThrow('is missing')
})

test('a file of another size has changed', async () => {
  truncateSync(place('in', 'a.mp4'), 3)
  await expect(openSource(video())).rejects.toThrow('has changed')
})

test('of a file of 20 GB only what the client takes is read', async () => {
  const size = 20_000_000_000
  truncateSync(place('in', 'a.mp4'), size)
  const before = process.memoryUsage().rss
  const { status, headers, body } = await sourceReply(video(size), 'GET', undefined)
  expect([status, headers.get('content-length')]).toEqual([200, String(size)])
  const reader = body?.getReader()
  expect((await reader?.read())?.value?.length).toBeGreaterThan(0)
  await new Promise(resolve => setTimeout(resolve, 300)) // the client pauses
  expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000)
  await reader?.cancel()
})
