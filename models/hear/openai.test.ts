import { afterEach, expect, test } from 'vitest'
import type { Finding } from '../../src/core/evidence.ts'
import type { AudioSource } from '../../src/core/video.ts'
import { closeAll, closeLater, never, openBackend } from '../../tests/servers/host.ts'
import { startOpenaiServer } from '../../tests/servers/openai-server.ts'
import openai from './openai.ts'

afterEach(closeAll)

const audio: AudioSource = {
  duration: 60,
  rate: 16000,
  read: async span => new Float32Array(Math.round((span.end - span.start) * 16000)),
}

async function start(settings: object = {}) {
  const server = closeLater(await startOpenaiServer())
  const limits = { concurrency: 1, backoffSeconds: 0.01 }
  const listener = closeLater(await openBackend(openai, { url: server.url, model: 'test-model', limits, ...settings }))
  const hear = async (span: { start: number; end: number }, question?: string) => {
    const found: Finding[] = []
    for await (const finding of listener.hear({ audio, span, question }, never)) found.push(finding)
    return found
  }
  return { server, hear }
}

test('captions tell of equal pieces, at the times of the pieces', async () => {
  const { server, hear } = await start({ captionSeconds: 10 })
  server.script.say('A dog barks at 0:59.', 'Music.')
  expect(await hear({ start: 5, end: 20 })).toEqual([
    { span: { start: 5, end: 12.5 }, track: 'sound', text: 'A dog barks at 0:59.' },
    { span: { start: 12.5, end: 20 }, track: 'sound', text: 'Music.' },
  ])
  expect(server.complaints).toEqual([])
})

test('a question is asked of the whole span, and "nothing" is no finding', async () => {
  const { server, hear } = await start()
  server.script.say('Two dogs.')
  expect(await hear({ start: 5, end: 20 }, 'How many dogs bark?')).toMatchObject([
    { span: { start: 5, end: 20 }, text: 'Two dogs.' },
  ])
  expect(JSON.stringify(server.seen[0]!.body)).toContain('How many dogs bark?')
  server.script.say('NOTHING.')
  expect(await hear({ start: 5, end: 20 }, 'How many cats?')).toEqual([])
})
