import { open } from 'node:fs/promises'

const most = 64 * 1024 * 1024 // bytes that are looked at
const sync = 0x47

// Whether an MPEG transport stream is whole between two of its packets: none is damaged, and of the first one's stream none is missing.
export async function readsOn(path: string, from: number, to: number): Promise<boolean> {
  const file = await open(path)
  try {
    const size = await packetSize(file, from)
    if (!size) return false
    let stream: number | undefined
    let count: number | undefined
    const end = Math.min(to + size, from + most)
    const chunk = Buffer.alloc(size * 1024)
    for (let at = from; at < end; ) {
      const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, end - at), at)
      if (bytesRead < size) break
      for (let i = 0; i + size <= bytesRead; i += size) {
        if (chunk[i] !== sync) return false
        const id = chunk.readUInt16BE(i + 1) & 0x1fff
        stream ??= id
        if (id !== stream || !(chunk[i + 3]! & 0x10)) continue
        const now = chunk[i + 3]! & 0x0f
        if (count !== undefined && now !== count && now !== ((count + 1) & 0x0f)) return false
        count = now
      }
      at += bytesRead - (bytesRead % size)
    }
    return true
  } finally {
    await file.close()
  }
}

// 188 bytes; 192 with a time before each; 204 with a checksum after each.
async function packetSize(file: Awaited<ReturnType<typeof open>>, at: number): Promise<number | undefined> {
  const head = Buffer.alloc(204 * 3)
  await file.read(head, 0, head.length, at)
  return [188, 192, 204].find(size => [0, size, 2 * size].every(place => head[place] === sync))
}
