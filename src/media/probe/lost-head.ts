import { type FileHandle, open } from 'node:fs/promises'

const segment = 0x18538067
const cluster = 0x1f43b675
// SeekHead, Info, Tracks, Cues, Attachments, Chapters, Tags, Void, checksum: what may stand before the first cluster.
const heads = [0x114d9b74, 0x1549a966, 0x1654ae6b, 0x1c53bb6b, 0x1941a469, 0x1043a770, 0x1254c367, 0xec, 0xbf]
const inCluster = [0xe7, 0xbf, 0xa7, 0xab, 0xec]
const maxElements = 1000

// Whether the pictures and sounds that a Matroska file began with are damaged, so that its first packet is not the first there was.
export async function lostHead(path: string): Promise<boolean> {
  await using file = await open(path)
  let at = 0
  for (let count = 0; count < maxElements; count++) {
    const one = await element(file, at)
    if (!one) return count > 1
    if (one.id === cluster) return !inCluster.includes((await element(file, one.content))?.id ?? 0)
    if (one.id === segment) at = one.content
    else if (count === 0 || heads.includes(one.id)) at = one.content + one.size
    else return true
  }
  return false
}

async function element(
  file: FileHandle,
  at: number,
): Promise<{ id: number; size: number; content: number } | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(12), 0, 12, at)
  const idLength = Math.clz32(buffer[0]!) - 23
  const sizeLength = Math.clz32(buffer[idLength] ?? 0) - 23
  if (bytesRead < 2 || idLength > 4 || sizeLength > 8 || bytesRead < idLength + sizeLength) return undefined
  let size = buffer[idLength]! & (0xff >> sizeLength)
  for (const byte of buffer.subarray(idLength + 1, idLength + sizeLength)) size = size * 256 + byte
  return { id: buffer.readUIntBE(0, idLength), size, content: at + idLength + sizeLength }
}
