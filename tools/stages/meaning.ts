import type { Evidence } from '../../src/core/evidence.ts'
import { toFloat16 } from '../../src/core/float16.ts'
import type { TextEncoder } from '../../src/core/services.ts'
import type { StageContext } from './stage.ts'

const BATCH = 64

// One text vector a row, for search by meaning. Writes vectors.f16 and vectors.json.
export async function meaningStage(context: StageContext, encoder: TextEncoder, rows: Evidence[]): Promise<void> {
  const sink = await context.out.bytes('vectors.f16')
  for (let at = 0; at < rows.length; at += BATCH) {
    const batch = rows.slice(at, at + BATCH)
    for (const vector of await encoder.passages(
      batch.map(row => row.text),
      context.signal,
    )) {
      await sink.write(new Uint8Array(toFloat16(vector).buffer))
    }
    context.progress(batch[batch.length - 1].span.end, context.video.duration)
  }
  await sink.close()
  await context.out.json('vectors.json', {
    dimensions: encoder.dimensions,
    count: rows.length,
    ids: rows.map(row => row.id),
  })
}
