import type { Track } from '../evidence.ts'
import type { Span } from '../time.ts'

// The spans of a video by lane, as columns: 8 bytes a row.
//   "LTL1"  Uint32 length of the header  header (JSON, padded with spaces to a multiple of 4)
//   for each lane of the header: `rows` starts as Uint32 milliseconds, then `rows` ends; all little-endian, by time
interface LanesHeader {
  version: 1
  video: string
  duration: number // seconds
  lanes: { lane: Track; rows: number; silent?: number[] }[] // silent: the rows that say that nothing is heard
}

interface Lane {
  lane: Track
  spans: readonly Span[]
  silent?: number[]
}

const magic = 'LTL1'

export function encodeLanes(
  about: { video: string; duration: number },
  lanes: readonly Lane[],
): Uint8Array<ArrayBuffer> {
  const header: LanesHeader = {
    version: 1,
    ...about,
    lanes: lanes.map(({ lane, spans, silent }) => ({ lane, rows: spans.length, ...(silent?.length && { silent }) })),
  }
  const text = new TextEncoder().encode(JSON.stringify(header))
  const columns = 8 + Math.ceil(text.length / 4) * 4
  const bytes = new Uint8Array(columns + 8 * lanes.reduce((sum, { spans }) => sum + spans.length, 0)).fill(
    32,
    8,
    columns,
  )
  const view = new DataView(bytes.buffer)
  bytes.set(new TextEncoder().encode(magic))
  view.setUint32(4, columns - 8, true)
  bytes.set(text, 8)
  let at = columns
  for (const { spans } of lanes) {
    for (const [row, { start, end }] of spans.entries()) {
      view.setUint32(at + 4 * row, Math.round(start * 1000), true)
      view.setUint32(at + 4 * (spans.length + row), Math.round(end * 1000), true)
    }
    at += 8 * spans.length
  }
  return bytes
}

export interface LaneColumn {
  lane: Track
  starts: Uint32Array
  ends: Uint32Array
  silent?: number[]
}

export function decodeLanes(bytes: Uint8Array): LanesHeader & { columns: LaneColumn[] } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (new TextDecoder().decode(bytes.subarray(0, 4)) !== magic) throw new TypeError('These bytes are not lanes.')
  const length = view.getUint32(4, true)
  const header: LanesHeader = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)))
  if (header.version !== 1) throw new TypeError(`These are lanes of version ${header.version}, not of version 1.`)
  let at = 8 + length
  const column = (rows: number) => {
    const values = new Uint32Array(rows)
    for (let row = 0; row < rows; row++) values[row] = view.getUint32(at + 4 * row, true)
    at += 4 * rows
    return values
  }
  const columns = header.lanes.map(({ lane, rows, silent }) => ({
    ...{ lane, starts: column(rows), ends: column(rows) },
    ...(silent && { silent }),
  }))
  return { ...header, columns }
}
