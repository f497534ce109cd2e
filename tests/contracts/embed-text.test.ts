import { afterEach, describe, expect, test } from 'vitest'
import ollama from '../../models/embed-text/ollama.ts'
import openai from '../../models/embed-text/openai.ts'
import type { TextEncoder } from '../../src/core/services.ts'
import { closeAll, closeLater, never, openBackend } from '../servers/host.ts'
import { startOllamaServer } from '../servers/ollama-server.ts'
import { startOpenaiServer } from '../servers/openai-server.ts'
import type { Script } from '../servers/script.ts'

afterEach(closeAll)

interface Started {
  encoder: TextEncoder
  script: Script
  inputs(): string[][]
  complaints: string[]
}

const backends: Record<string, (settings?: object) => Promise<Started>> = {
  async openai(settings = {}) {
    const server = closeLater(await startOpenaiServer())
    const encoder = closeLater(await openBackend(openai, { url: server.url, model: 'test-model', ...settings }))
    return { encoder, script: server.script, inputs: () => inputsOf(server.seen), complaints: server.complaints }
  },
  async ollama(settings = {}) {
    const server = closeLater(await startOllamaServer({ models: { 'nomic-embed': ['embedding'] } }))
    const encoder = closeLater(await openBackend(ollama, { url: server.url, model: 'nomic-embed', ...settings }))
    return { encoder, script: server.script, inputs: () => inputsOf(server.seen), complaints: server.complaints }
  },
}

function inputsOf(seen: { body: unknown }[]): string[][] {
  return seen.slice(1).map(entry => (entry.body as { input: string[] }).input)
}

for (const [name, start] of Object.entries(backends)) {
  describe(`embed-text/${name}`, () => {
    test('gives one unit vector a text, in the order of the texts, whatever the order of the reply', async () => {
      const { encoder, complaints } = await start({ batch: 2 })
      const texts = ['a red car', 'a blue door', 'Größe 🎬', 'a red car', '']
      const vectors = await encoder.passages(texts, never)
      expect(vectors).toHaveLength(5)
      for (const vector of vectors) {
        expect(vector).toHaveLength(encoder.dimensions)
        expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
      }
      expect(vectors[3]).toEqual(vectors[0])
      expect(vectors[1]).not.toEqual(vectors[0])
      const alone = await encoder.passages(['a blue door'], never)
      expect(alone[0]).toEqual(vectors[1])
      expect(complaints).toEqual([])
    })

    test('puts the prefixes that the model wants before queries and lines', async () => {
      const { encoder, inputs } = await start({ queryPrefix: 'query: ', passagePrefix: 'passage: ' })
      await encoder.queries(['car'], never)
      await encoder.passages(['car'], never)
      expect(inputs()).toEqual([['query: car'], ['passage: car']])
    })

    test('learns how long the vectors are, also when shorter ones are asked for', async () => {
      expect((await start()).encoder.dimensions).toBe(8)
      expect((await start({ dimensions: 4 })).encoder.dimensions).toBe(4)
    })

    test('asks for nothing where there is nothing to encode', async () => {
      const { encoder, inputs } = await start()
      expect(await encoder.passages([], never)).toEqual([])
      expect(inputs()).toEqual([])
    })

    test('cuts a text that is too long, never through a letter', async () => {
      const { encoder, inputs } = await start({ longest: 5 })
      await encoder.passages(['abcd🎬efg'], never)
      expect(inputs()).toEqual([['abcd']])
    })

    test('refuses vectors that are none', async () => {
      const { encoder, script } = await start()
      const wrong: [unknown[], RegExp][] = [
        [[[0, 0, 0, 0, 0, 0, 0, 0]], /without a direction/],
        [[[1, 2]], /a vector of 2 numbers instead of 8/],
        [
          [
            [1, 0, 0, 0, 0, 0, 0, 0],
            [1, 0, 0, 0, 0, 0, 0, 0],
          ],
          /2 vectors for 1 texts/,
        ],
      ]
      for (const [vectors, message] of wrong) {
        script.say({ vectors: name === 'openai' ? vectors.map((embedding, index) => ({ index, embedding })) : vectors })
        await expect(encoder.passages(['x'], never)).rejects.toThrow(message)
      }
    })
  })
}
