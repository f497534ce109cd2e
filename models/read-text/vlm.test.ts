import { afterEach, expect, test } from 'vitest'
import { backendSettings } from '../../src/core/backend.ts'
import type { Frame } from '../../src/core/video.ts'
import { closeAll, closeLater, never, testHost } from '../../tests/servers/host.ts'
import { startOllamaServer } from '../../tests/servers/ollama-server.ts'
import { startOpenaiServer } from '../../tests/servers/openai-server.ts'
import vlm from './vlm.ts'

afterEach(closeAll)

const frame = (width: number, height: number): Frame => ({
  time: 3,
  width,
  height,
  rgb: new Uint8Array(width * height * 3).fill(200),
})

const open = (settings: object) => vlm.open(backendSettings('read-text', 'vlm', vlm, settings), testHost())

async function start(settings: object = {}) {
  const server = closeLater(await startOpenaiServer())
  const chat = { backend: 'openai', url: server.url, model: 'test-model' }
  const reader = closeLater(await open({ chat, atOnce: 1, ...settings }))
  return { server, reader }
}

test('lines come in the order of the picture, one list a frame', async () => {
  const { server, reader } = await start()
  server.script.say('{"lines":[{"text":" Hello\\n world "},{"text":""},{"text":"42"}]}', '{"lines":[]}')
  const [first, second] = await reader.read([frame(64, 48), frame(64, 48)], never)
  expect(first!.map(line => line.text)).toEqual(['Hello world', '42'])
  expect(first![0]).toMatchObject({ confidence: 0.8, box: { x: 0, y: 0, width: 1, height: 1 } })
  expect(second).toEqual([])
  expect(server.complaints).toEqual([])
})

test('places are fractions of the picture, in the unit that the model uses', async () => {
  const { server, reader } = await start({ boxes: 'pixels', longestSide: 100 })
  server.script.say('{"lines":[{"text":"a","box":[10,25,60,50]},{"text":"b","box":[9,9,9,9]}]}')
  const [lines] = await reader.read([frame(400, 200)], never)
  expect(lines![0]!.box).toEqual({ x: 0.1, y: 0.5, width: 0.5, height: 0.5 })
  expect(lines![1]!.box).toEqual({ x: 0, y: 0, width: 1, height: 1 })
})

test('a chat model that takes no pictures is refused when it is opened', async () => {
  const server = closeLater(await startOllamaServer({ models: { blind: ['completion'] } }))
  const chat = { backend: 'ollama', url: server.url, model: 'blind' }
  await expect(open({ chat })).rejects.toThrow('takes no pictures')
})
