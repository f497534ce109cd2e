import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { begin, bytesOf, openTalks, type Talks } from '../../make/engine/talks.ts'
import { type S3Server, s3Server } from '../../servers/s3-server.ts'
import { commandLine } from '../../support/command-line.ts'
import { type Machine, type Machines, machines } from '../bench/machines.ts'

let talks: Talks
let cluster: Machines
let bucket: S3Server
let videos: string
beforeAll(async () => {
  talks = await openTalks()
  videos = join(talks.folder, 'videos')
  bucket = await s3Server()
  for (const [name, key] of Object.entries(bucket.keys)) vi.stubEnv(name, key)
  cluster = await machines(talks.folder, videos)
})
afterAll(async () => {
  await cluster.close()
  await talks.close()
  await bucket.close()
  vi.unstubAllEnvs()
})
const working: Machine[] = []
afterEach(async () => {
  talks.server.misbehave()
  for (const one of working.splice(0)) await one.kill()
})

const at = (set: string) => join(talks.folder, 'sets', set)
const make = (home: string, set: string, ...more: string[]) =>
  cluster.here(home, 'bench', 'make', ...more, '--out', at(set), ...talks.settings)
const worker = (name: string, ...more: string[]) => {
  const started = cluster.start(name, 'worker', '--slots', 'cpu=1,net=1', ...talks.settings, ...more)
  working.push(started)
  return started
}
const glance = () => {
  const choice = { backend: 'openai', model: 'blind', url: `${talks.server.url}/v1` }
  return ['--set', `make.glance=${JSON.stringify(choice)}`]
}

// A root is a folder for the sender and a bucket for the worker, as where the folder is a mount of it.
test('a worker that has the root as a bucket fetches what it looks at', async () => {
  for (const name of readdirSync(videos).filter(one => one.endsWith('.mp4')))
    bucket.objects.set(`films/${name}`, { bytes: readFileSync(join(videos, name)), modified: new Date() })
  const alone = make('alone', 'one', ...begin(talks), ...glance())
  expect(await alone.ended, alone.said()).toBe(0)

  worker('near')
  const indexed = make('sender', 'many', ...begin(talks), ...glance(), '--queue', '--until', 'source')
  expect(await indexed.ended, indexed.said()).toBe(0)
  await working.pop()?.kill()
  worker('far', '--set', 'cluster.roots={"data":"s3://bucket/films"}', ...glance())
  const seen = make('sender', 'many', ...begin(talks), ...glance(), '--queue')
  expect(await seen.ended, seen.said()).toBe(0)
  expect(seen.said()).toContain('glance: a worker has asked about')
  expect(bytesOf(at('many'))).toEqual(bytesOf(at('one')))
})

test('questions of another set go through the filters by workers as they do alone', async () => {
  const set = join(videos, 'mme')
  mkdirSync(join(set, 'data'), { recursive: true })
  for (const name of ['mill', 'gate']) copyFileSync(join(videos, `${name}.mp4`), join(set, 'data', `${name}.mp4`))
  const row = (question_id: string, videoID: string, question: string) => ({
    ...{ question_id, video_id: videoID, videoID, duration: 'long', domain: 'K', sub_category: 'S', url: 'u' },
    ...{ task_type: 'Counting Problem', question, answer: 'C' },
    options: ['A. one length', 'B. two lengths', 'C. three lengths', 'D. four lengths'],
  })
  const rows = [row('1', 'mill', 'What follows the Birch Mill?'), row('2', 'gate', 'What follows the Dover Gate?')]
  writeFileSync(join(set, 'test.jsonl'), rows.map(one => JSON.stringify(one)).join('\n'))
  const adopt = ['videoeval-pro', '--from', `video-mme:${set}`, '--option', 'minMinutes=0', ...glance()]
  const start = talks.asked()
  const alone = make('alone', 'adopted-one', ...adopt)
  expect(await alone.ended, alone.said()).toBe(0)
  const before = talks.asked()
  worker('looks', ...glance())
  const many = make('sender', 'adopted-many', ...adopt, '--queue')
  expect(await many.ended, many.said()).toBe(0)
  expect(bytesOf(at('adopted-many'))).toEqual(bytesOf(at('adopted-one')))
  expect(talks.asked() - before).toBe(before - start)
})

test('two workers spend at most one call more than the limit, and nothing when it is asked for again', async () => {
  const price = ['--set', 'prices={"openai":{"input":100000,"output":0}}', '--set', 'budget.money=7'] // a call costs 1
  for (const name of ['first', 'second']) worker(name)
  talks.server.misbehave(...Array.from({ length: 20 }, () => ({ fault: 'slow' as const, seconds: 0.3 })))
  const before = talks.asked()
  for (const _ of ['begun', 'again']) {
    const poor = make('poor', 'poor', ...begin(talks), '--queue', ...price)
    expect(await poor.ended, poor.said()).toBe(6)
    const spent = talks.asked() - before
    expect([7, 8]).toContain(spent)
    expect(poor.said()).toContain(`The making has spent ${spent}.00, and budget.money is 7.`)
  }
})

test('an address in the place of a folder is refused with what to do, typed, in a list or of a set', async () => {
  const line = commandLine()
  const list = join(line.cwd, 'list.txt')
  writeFileSync(list, 's3://bucket/films/mill.mp4\n')
  for (const from of ['s3://bucket/films', 'https://films.example/mill.mp4', list, 'video-mme:s3://bucket/set']) {
    const { code, stderr } = await line.run(
      'bench',
      'make',
      'videoeval-pro',
      '--from',
      from,
      '--out',
      join(line.cwd, 'o'),
    )
    expect([from, code, stderr]).toEqual([from, 2, expect.stringContaining('--from takes files and folders')])
  }
  expect(existsSync(join(line.cwd, 'o'))).toBe(false)
})
