import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Job } from '../../src/core/api/job.ts'
import { routes } from '../../src/core/api/routes.ts'
import { h264, type MediaFolder, mediaFolder } from '../media-fixtures.ts'
import { type Serving, startServer } from './serving.ts'

// A planner that looks once and answers, as a job of the server about a video that was never indexed.
const planner = {
  ...{ backend: 'scripted', atEnd: 'cycle' },
  replies: [
    { calls: [{ name: 'skim', arguments: { start: 0, end: 10 } }] },
    { text: '{"sentences":[{"text":"A red picture is seen at 0:05.","cites":[]}],"confidence":0.9}' },
  ],
}

let media: MediaFolder
let server: Serving
let video = ''

beforeAll(async () => {
  media = mediaFolder()
  mkdirSync(media.path('videos'))
  media.ffmpeg('videos/red.mp4', ['-f', 'lavfi', '-i', 'color=red:s=160x90:r=5:d=10', '-g', '10'], h264)
  const seek = { overviewFrames: 4, skimFrames: 2 }
  writeFileSync(media.path('settings.json'), JSON.stringify({ profile: 'embedded', models: { planner }, seek }))
  server = await startServer([media.path('videos'), '--config', media.path('settings.json')], media.path('home'))
  video = routes.addVideo.reply.parse((await server.call('POST', '/videos', { path: 'red.mp4' })).json).id
})
afterAll(async () => {
  await server?.stop()
  media?.remove()
})

const details = async () => routes.video.reply.parse((await server.call('GET', `/videos/${video}`)).json)
const answered = async (body: object) => {
  const { json } = await server.call('POST', `/videos/${video}/ask`, body)
  const { job } = routes.ask.reply.parse(json)
  const ended = Job.parse((await server.call('GET', `/jobs/${job}?wait=60`)).json)
  expect(ended.error).toBeUndefined()
  return ended
}

test('a question without an index is a job that makes none, in a conversation too', async () => {
  for (const session of [undefined, 'looks']) {
    const job = await answered({ question: 'What is seen?', graph: 'seek', ...(session && { session }) })
    expect(job).toMatchObject({ state: 'done' })
    const run = routes.run.reply.parse((await server.call('GET', `/runs/${job.run}`)).json)
    expect(JSON.stringify(run)).toContain('A red picture is seen')
  }
  expect(await details()).toMatchObject({ state: 'waiting' })
  expect((await details()).coverage).toBeUndefined()
  const folder = media.path('home/library')
  const stages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
    /(decode|words|stills)/.test(name),
  )
  expect(stages).toEqual([])
})

test('what was opened without an index is not what the next question is asked of', async () => {
  const job = await answered({ question: 'What is seen?', graph: 'single-pass' })
  expect(job).toMatchObject({ state: 'done' })
  expect(await details()).toMatchObject({ state: 'ready', coverage: { picture: { state: 'indexed' } } })
})
