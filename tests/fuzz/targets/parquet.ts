import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { decodeParquet } from '../../../eval/data/decode-parquet.ts'
import { errorText, UsageError } from '../../../src/core/errors.ts'
import { mutateBytes } from '../mutate/bytes.ts'
import type { Draw } from '../mutate/draw.ts'
import { scratch } from '../scratch.ts'
import { promise, type Target } from '../target.ts'

const folder = new URL('../../fixtures/parquet/', import.meta.url)

const parquet: Target = {
  name: 'parquet',
  summary: 'Parquet files',
  guided: /eval\/data\/decode-parquet/,
  seeds: async () => readdirSync(folder).map(name => readFileSync(new URL(name, folder))),
  mutate: (input, draw, other) => (draw.chance(0.5) ? mutateEnd(input, draw, other) : mutateBytes(input, draw, other)),
  async run(input) {
    const file = scratch('records.parquet')
    writeFileSync(file, input)
    // In this process, for its coverage; readParquet has one of its own for each file, and refuses whatever that one throws.
    const records = await decodeParquet(file).catch(error => {
      throw new UsageError(errorText(error))
    })
    promise(Array.isArray(records), 'records are a list')
    promise(records.length <= maxRows, `${records.length} rows of ${input.length} bytes`)
  },
}

export default parquet

const maxRows = 1_000_000

// The description of the columns stands at the end, before its own length; that is kept right.
function mutateEnd(input: Buffer, draw: Draw, other: Buffer): Buffer {
  if (input.length < 12) return mutateBytes(input, draw, other)
  const length = Math.min(input.readUInt32LE(input.length - 8), input.length - 8)
  const from = input.length - 8 - length
  const changed = mutateBytes(input.subarray(from, from + length), draw, other)
  const end = Buffer.from(input.subarray(input.length - 8))
  end.writeUInt32LE(changed.length, 0)
  return Buffer.concat([input.subarray(0, from), changed, end])
}
