import { errorText } from '../../src/core/errors.ts'
import type { PythonValue } from '../python/value.ts'
import { decodeParquet } from './decode-parquet.ts'

const piece = 10e6 // characters of rows that are sent at once
const maxText = 500e6
const maxValues = 50e6 // of a page

// A page of 20 bytes may claim 2^31 values, for which the library makes room before it looks for them. This process does nothing else.
const makers = globalThis as unknown as Record<string, new (...args: unknown[]) => object>
for (const name of ['Array', 'Uint8Array', 'Int32Array', 'BigInt64Array', 'Float32Array', 'Float64Array'])
  makers[name] = new Proxy(makers[name]!, {
    construct(maker, args, derived) {
      if (typeof args[0] === 'number' && args[0] > maxValues) throw new RangeError(`a page claims ${args[0]} values`)
      return Reflect.construct(maker, args, derived)
    },
  })

// Sends the rows of the file that its first argument names, and ends.
const send = (message: unknown) => new Promise(resolve => process.send?.(message, resolve))
try {
  let rows: PythonValue[] = []
  let [weight, total] = [0, 0]
  for (const row of await decodeParquet(process.argv[2] ?? '')) {
    rows.push(row)
    weight += weigh(row)
    if (weight < piece) continue
    total += weight
    if (total > maxText) throw new Error('its rows hold more than 500 million characters')
    await send(rows)
    rows = []
    weight = 0
  }
  await send(rows)
  await send('end')
} catch (error) {
  await send({ error: errorText(error) })
}
process.disconnect()

// A text of a dictionary stands here once for all its rows, and is sent for each.
function weigh(value: PythonValue): number {
  if (typeof value === 'string') return value.length
  if (value instanceof Map) return weigh([...value.values()])
  return Array.isArray(value) ? value.reduce((sum: number, one) => sum + weigh(one), 8) : 8
}
