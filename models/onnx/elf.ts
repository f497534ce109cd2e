import { closeSync, openSync, readSync } from 'node:fs'

// What a shared library of Linux asks its loader for.
export interface LinkedLibraries {
  needed: string[] // names of libraries, as "libcudart.so.13"
  folders: string[] // where it is looked for first, as "$ORIGIN"
}

const loaded = 1 // PT_LOAD
const dynamic = 2 // PT_DYNAMIC
const tags = { needed: 1, strings: 5, stringBytes: 10, rpath: 15, runpath: 29 }
const maxTable = 16 * 1024 * 1024 // bytes

// Reads the dynamic section of a 64-bit little-endian ELF file: some kilobytes, however large the file is.
export function readElf(path: string): LinkedLibraries {
  const file = openSync(path, 'r')
  try {
    return linkedIn((offset, length) => readAt(file, offset, length))
  } catch (cause) {
    throw new Error(`${path} must be a 64-bit ELF library: ${(cause as Error).message}`, { cause })
  } finally {
    closeSync(file)
  }
}

function linkedIn(read: (offset: number, length: number) => Buffer): LinkedLibraries {
  const header = read(0, 64)
  if (header.toString('latin1', 0, 6) !== '\x7fELF\x02\x01') throw new Error('it begins otherwise')
  const [size, count] = [header.readUInt16LE(54), header.readUInt16LE(56)]
  if (size < 56) throw new Error(`its program headers have ${size} bytes`)
  const table = read(number(header, 32), size * count)
  const segments = Array.from({ length: count }, (_, at) => {
    const row = table.subarray(at * size)
    return { type: row.readUInt32LE(0), offset: number(row, 8), address: number(row, 16), bytes: number(row, 32) }
  })
  const section = segments.find(({ type }) => type === dynamic)
  if (!section) return { needed: [], folders: [] } // linked statically
  const rows = read(section.offset, section.bytes)
  const entries = Array.from({ length: Math.floor(rows.length / 16) }, (_, at) => ({
    tag: number(rows, at * 16),
    value: number(rows, at * 16 + 8),
  }))
  const entry = (tag: number) => entries.find(row => row.tag === tag)?.value ?? 0
  const address = entry(tags.strings)
  const home = segments.find(
    ({ type, address: from, bytes }) => type === loaded && address >= from && address < from + bytes,
  )
  if (!home) throw new Error('its names lie nowhere in it')
  const names = read(home.offset + address - home.address, entry(tags.stringBytes))
  const name = (at: number) => names.toString('utf8', at, names.indexOf(0, at))
  const named = (...wanted: number[]) =>
    entries.filter(({ tag }) => wanted.includes(tag)).map(({ value }) => name(value))
  const folders = named(tags.rpath, tags.runpath).flatMap(path => path.split(':').filter(Boolean))
  return { needed: named(tags.needed), folders }
}

function number(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at))
}

function readAt(file: number, offset: number, length: number): Buffer {
  if (length > maxTable) throw new Error(`a table of it has ${length} bytes`)
  const bytes = Buffer.alloc(length)
  if (readSync(file, bytes, 0, length, offset) < length) throw new Error('it is cut short')
  return bytes
}
