import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { closeAll, closeLater, never, testHost } from '../../tests/servers/host.ts'
import { type KindRecall, measureRecall, readTalks } from '../../tests/support/talks.ts'
import { textEncoders } from './index.ts'

const folder = fileURLToPath(new URL('../../../shared/assets/models/minilm', import.meta.url))
const missing = existsSync(folder) ? '' : 'no MiniLM beside the checkout'

const english = new Set(['bee-lecture', 'town-meeting', 'violins']) // which MiniLM was trained on

afterAll(closeAll)

// None are lost on the processor where the weights of the fusion were chosen; others round the likenesses of 8 bits otherwise.
const tolerance = 1 // of all queries of a talk

describe.skipIf(missing)(`search with the real weights of MiniLM${missing && ` (skipped: ${missing})`}`, () => {
  test('words and meaning find together what the better of the two finds, and far more paraphrases than words', async () => {
    const settings = { folder, precision: 'q8', pooling: 'mean', device: 'cpu' }
    const encoder = closeLater(await textEncoders.open('onnx', settings, testHost()))
    for (const talk of await readTalks()) {
      const kinds = await measureRecall(talk, encoder, never)
      for (const place of ['first', 'five'] as const) {
        const short = (kind: KindRecall) =>
          Math.max(kind.found.words[place], kind.found.meaning[place]) - kind.found.both[place]
        const lost = kinds.reduce((sum, kind) => sum + Math.max(0, short(kind)), 0)
        expect(
          lost,
          `${talk.name}, ${place}: ${JSON.stringify(kinds.map(kind => [kind.kind, short(kind)]))}`,
        ).toBeLessThanOrEqual(tolerance)
      }
      if (!english.has(talk.name)) continue
      const { queries, found } = kinds.find(({ kind }) => kind === 'paraphrases')!
      expect(found.words.five).toBeLessThan(5)
      expect(found.both.first).toBeGreaterThanOrEqual(0.6 * queries.length)
      expect(found.both.five).toBeGreaterThanOrEqual(0.84 * queries.length)
    }
  }, 120_000)
})
