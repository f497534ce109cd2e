import { crc32, deflateRawSync } from 'node:zlib'

export interface Packed {
  name: string
  content: Buffer
  link?: string // a symbolic link that leads there
  rawName?: Buffer // the name in another encoding than UTF-8
}

// A zip file as the usual programs write it; names are taken as they are, hostile ones too.
export function zipOf(files: readonly Packed[], method: 0 | 8 = 8): Buffer {
  const parts: Buffer[] = []
  const list: Buffer[] = []
  let offset = 0
  for (const { name, content, rawName } of files) {
    const packed = method === 8 ? deflateRawSync(content) : content
    const names = rawName ?? Buffer.from(name)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(method, 8)
    local.writeUInt32LE(crc32(content), 14)
    local.writeUInt32LE(packed.length, 18)
    local.writeUInt32LE(content.length, 22)
    local.writeUInt16LE(names.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    local.copy(entry, 10, 8, 30)
    entry.writeUInt32LE(offset, 42)
    parts.push(local, names, packed)
    list.push(entry, names)
    offset += 30 + names.length + packed.length
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

// A tar file; names of more than a hundred bytes as GNU tar writes them.
export function tarOf(files: readonly Packed[]): Buffer {
  const parts = files.flatMap(({ name, content, link }) => {
    const long = Buffer.byteLength(name) > 100
    const before = long ? [header('././@LongLink', name.length + 1, 'L'), padded(Buffer.from(`${name}\0`))] : []
    const type = link === undefined ? '0' : '2'
    return [...before, header(name.slice(0, 100), content.length, type, link), padded(content)]
  })
  return Buffer.concat([...parts, Buffer.alloc(1024)])
}

// A header block of a tar file, and what follows it. `size` is written as it is, where it is a text.
export function tarEntry(
  name: string,
  { type = '0', link = '', content = Buffer.alloc(0), size = content.length as number | string | Buffer } = {},
): Buffer {
  return Buffer.concat([header(name, size, type, link), padded(content)])
}

// Fields of an extended header, for the member that follows.
export function paxEntry(fields: Record<string, string>): Buffer {
  const records = Object.entries(fields).map(([key, value]) => {
    const rest = Buffer.byteLength(` ${key}=${value}\n`)
    const length = [rest + 1, rest + 2, rest + 3].find(total => String(total).length + rest === total)
    return `${length} ${key}=${value}\n`
  })
  return tarEntry('PaxHeader', { type: 'x', content: Buffer.from(records.join('')) })
}

export const tarEnd = Buffer.alloc(1024)

function header(name: string, size: number | string | Buffer, type: string, link = ''): Buffer {
  const block = Buffer.alloc(512)
  block.write(name, 0)
  block.write('0000644\0', 100)
  const stated = typeof size === 'number' ? `${size.toString(8).padStart(11, '0')}\0` : size
  Buffer.from(stated as Buffer).copy(block, 124)
  block.write('        ', 148)
  block.write(type, 156)
  block.write(link, 157)
  block.write('ustar\u000000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

function padded(content: Buffer): Buffer {
  return Buffer.concat([content, Buffer.alloc((512 - (content.length % 512)) % 512)])
}
