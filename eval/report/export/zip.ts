import { crc32 } from 'node:zlib'
import type { ReleasedFile } from '../../benchmarks/benchmark.ts'

// A zip of these files that is the same to the byte whenever and wherever it is written: in the order of their names, stored, since what
// deflate writes hangs on the version of zlib, and dated as early as a zip can say.
export function stableZip(files: readonly ReleasedFile[]): Buffer {
  const parts: Buffer[] = []
  const list: Buffer[] = []
  let offset = 0
  for (const { path, content } of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const name = Buffer.from(path)
    const bytes = Buffer.from(content)
    const about = aboutFile(name, bytes)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE((unix << 8) | version, 4)
    about.copy(entry, 6)
    entry.writeUInt32LE(fileMode * 0x10000, 38)
    entry.writeUInt32LE(offset, 42)
    const head = Buffer.concat([signature, about])
    parts.push(head, name, bytes)
    list.push(entry, name)
    offset += head.length + name.length + bytes.length
  }
  const lists = Buffer.concat(list)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(lists.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, lists, end])
}

const signature = Buffer.from([0x50, 0x4b, 3, 4])
const version = 20
const unix = 3
const fileMode = 0o100644
const utf8Names = 0x800
const firstDay = 0x21 // 1980-01-01

// What a zip says of a file both before it and in the list at its end.
function aboutFile(name: Buffer, content: Buffer): Buffer {
  const about = Buffer.alloc(26)
  about.writeUInt16LE(version, 0)
  about.writeUInt16LE(utf8Names, 2)
  about.writeUInt16LE(firstDay, 8)
  about.writeUInt32LE(crc32(content), 10)
  about.writeUInt32LE(content.length, 14)
  about.writeUInt32LE(content.length, 18)
  about.writeUInt16LE(name.length, 22)
  return about
}
