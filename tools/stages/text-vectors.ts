import { toFloat16 } from '../../src/core/basics/numbers.ts'
import { everyRow, type Stage } from '../../src/core/stage.ts'

const batch = 64

// A vector for the text of each row. Writes vectors.f16 and vectors.json.
const textVectors: Stage<'embedText'> = {
  name: 'text-vectors',
  version: 2,
  role: 'embedText',
  after: [everyRow],
  partial: true,
  mayFail: true,
  async make({ out, progress, signal, video, open, results: { rows } }) {
    const { service } = await open()
    const all = await rows()
    const sink = await out.bytes('vectors.f16')
    for (let at = 0; at < all.length; at += batch) {
      const some = all.slice(at, at + batch)
      const texts = some.map(row => row.text)
      for (const vector of await service.passages(texts, signal))
        await sink.write(new Uint8Array(toFloat16(vector).buffer))
      progress(some.at(-1)?.span.end ?? 0, video.duration)
    }
    await sink.close()
    await out.json('vectors.json', { dimensions: service.dimensions, count: all.length, ids: all.map(row => row.id) })
  },
}
export default textVectors
