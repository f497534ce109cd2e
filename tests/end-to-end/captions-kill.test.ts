import { afterAll, beforeAll, expect, test } from 'vitest'
import { contentHash } from '../../src/core/json.ts'
import { open } from '../../src/index.ts'
import { h264, type MediaFolder, mediaFolder } from '../media-fixtures.ts'
import { type FaultServer, startFaultServer } from '../servers/fault-server.ts'
import { plainCaption } from '../support/captions.ts'
import { longtake } from './longtake.ts'

const colours = ['red', 'blue', 'green', 'white', 'black', 'yellow', 'purple', 'cyan', 'orange']
const answered = 4 // before the server says no more

let media: MediaFolder
let server: FaultServer
let hangs = true // from then on
const asked: string[] = [] // of each request for a caption, what it shows
beforeAll(async () => {
  media = mediaFolder()
  const shots = colours.flatMap(colour => ['-f', 'lavfi', '-i', `color=${colour}:s=160x90:r=5:d=3`])
  media.ffmpeg('clip.mp4', [...shots, '-filter_complex', `concat=n=${colours.length}:v=1`, '-g', '5'], h264)
  server = await startFaultServer(({ path, body }) => {
    if (path.endsWith('/models')) return json({ object: 'list', data: [{ id: 'sees', object: 'model' }] })
    asked.push(contentHash((body as { messages: unknown }).messages))
    if (hangs && asked.length === answered)
      server.misbehave(...colours.map(() => ({ fault: 'stall' as const, after: 0 })))
    const message = { role: 'assistant', content: JSON.stringify(plainCaption) }
    return json({
      ...{ model: 'sees', choices: [{ index: 0, message, finish_reason: 'stop' }] },
      usage: { prompt_tokens: 100, completion_tokens: 20 },
    })
  })
})
afterAll(async () => {
  await server?.close()
  media?.remove()
})

function json(value: unknown) {
  return { status: 200, type: 'application/json', pieces: [Buffer.from(JSON.stringify(value))] }
}

test('after a kill -9 in the middle of captioning no clip is asked for twice that was answered', async () => {
  const vision = { backend: 'openai', model: 'sees', url: `${server.url}/v1`, accepts: ['text', 'image'] }
  const settings = {
    profile: 'embedded',
    models: { vision: { ...vision, limits: { concurrency: 2 } } },
    index: { tracks: { text: false, sound: false, speech: false }, captions: { mode: 'shots' } },
  }
  const set = [
    ...Object.entries(settings.index.tracks).map(([name, value]) => `index.tracks.${name}=${value}`),
    'index.captions.mode=shots',
  ]
  const model = Object.entries(settings.models.vision).map(
    ([name, value]) => `models.vision.${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const args = ['profile=embedded', ...set, ...model].flatMap(one => ['--set', one])
  const home = media.path('home')
  const dying = new AbortController()
  const killed = longtake(['index', media.path('clip.mp4'), ...args], { home, killOn: dying.signal })
  // Both places of the server wait: whatever was answered before has been written down.
  await expect.poll(() => asked.length).toBe(answered + 2)
  dying.abort()
  expect((await killed).code).toBeNull()
  hangs = false
  server.misbehave()

  const before = asked.splice(0)
  const again = await longtake(['index', media.path('clip.mp4'), ...args], { home })
  expect(again.err).not.toMatch(/error/)
  expect(again.code).toBe(0)
  expect(new Set(before.slice(0, answered)).size).toBe(answered)
  for (const clip of before.slice(0, answered)) expect(asked).not.toContain(clip)
  expect(new Set([...before, ...asked]).size).toBe(colours.length)
  expect(asked).toHaveLength(colours.length - answered)

  const video = await open(media.path('clip.mp4'), { home, settings, profile: 'embedded' })
  try {
    expect(video.evidence({ tracks: ['caption'] })).toHaveLength(colours.length)
    expect(asked).toHaveLength(colours.length - answered) // nothing is asked to open it
  } finally {
    await video.close()
  }
})
