import { afterEach, expect, test } from 'vitest'
import { closeAll, closeLater, never, testHost } from '../../tests/servers/host.ts'
import { startOllamaServer } from '../../tests/servers/ollama-server.ts'
import { startOpenaiServer } from '../../tests/servers/openai-server.ts'
import { detectors } from './index.ts'

afterEach(closeAll)

const frame = { time: 3, width: 64, height: 48, rgb: new Uint8Array(64 * 48 * 3).fill(200) }

test('what the model marks becomes boxes in shares of the frame; boxes without an area are left out', async () => {
  const server = closeLater(await startOpenaiServer())
  const chat = { backend: 'openai', url: server.url, model: 'test-model' }
  const detector = closeLater(await detectors.open('vlm', { chat, atOnce: 1 }, testHost()))
  server.script.say(
    '{"things":[{"label":"cup","box":[100,200,300,600]},{"label":"cup","box":[5,5,5,5]}]}',
    '{"things":[]}',
  )
  const found = await detector.detect([frame, frame], ['cup', 'plate'], never)
  expect(found).toEqual([
    [
      {
        label: 'cup',
        confidence: 0.7,
        box: { x: 0.1, y: 0.2, width: expect.closeTo(0.2), height: expect.closeTo(0.4) },
      },
    ],
    [],
  ])
  expect(server.complaints).toEqual([])
  expect(await detector.detect([frame], [], never)).toEqual([[]])
})

test('a chat model that takes no pictures is refused when it is opened', async () => {
  const server = closeLater(await startOllamaServer({ models: { blind: ['completion'] } }))
  const chat = { backend: 'ollama', url: server.url, model: 'blind' }
  await expect(detectors.open('vlm', { chat }, testHost())).rejects.toThrow('takes no pictures')
})
