import { expect, test } from 'vitest'
import { textStream } from './events.ts'

test('a stream that is silent keeps its connection alive, and loses nothing by it', async () => {
  async function* slowly() {
    yield 'data: 1\n\n'
    await new Promise(resolve => setTimeout(resolve, 80))
    yield 'data: 2\n\n'
  }
  const text = await new Response(textStream(slowly(), () => {}, 20)).text()
  expect(text).toMatch(/^data: 1\n\n(: keep-alive\n\n)+data: 2\n\n$/)
})

test('a client that leaves ends what is read for it', async () => {
  let ended = false
  async function* forever() {
    try {
      for (;;) yield 'data: 1\n\n'
    } finally {
      ended = true
    }
  }
  let left = false
  const reader = textStream(forever(), () => {
    left = true
  }).getReader()
  await reader.read()
  await reader.cancel()
  expect([left, ended]).toEqual([true, true])
})
