import { errorText } from '../../src/core/errors.ts'
import { decodeParquet } from './decode-parquet.ts'

const piece = 10_000 // rows
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
  const rows = await decodeParquet(process.argv[2] ?? '')
  for (let at = 0; at < rows.length; at += piece) await send(rows.slice(at, at + piece))
  await send('end')
} catch (error) {
  await send({ error: errorText(error) })
}
process.disconnect()
