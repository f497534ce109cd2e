import type { FileHandle } from 'node:fs/promises'

// MP4 and MOV files are made of boxes inside boxes: a length, four letters, and what is inside.
export interface Mp4Box {
  type: string
  start: number // of the box itself
  content: number
  end: number
}

const maxBoxes = 10_000

// The boxes that lie one after the other in a part of the file. Nonsense ends the list.
export async function boxesIn(file: FileHandle, from: number, to: number): Promise<Mp4Box[]> {
  const boxes: Mp4Box[] = []
  for (let start = from; start + 8 <= to && boxes.length < maxBoxes; ) {
    const head = await bytesAt(file, start, Math.min(16, to - start))
    if (head.length < 8) break
    const short = head.readUInt32BE(0)
    const content = start + (short === 1 ? 16 : 8)
    if (short === 1 && head.length < 16) break
    const length = short === 1 ? Number(head.readBigUInt64BE(8)) : short === 0 ? to - start : short
    if (start + length < content || start + length > to) break
    boxes.push({ type: head.toString('latin1', 4, 8), start, content, end: start + length })
    start += length
  }
  return boxes
}

// The first box at the end of a path such as "mdia/minf/stbl".
export async function boxAt(file: FileHandle, outer: Mp4Box, path: string): Promise<Mp4Box | undefined> {
  let box: Mp4Box | undefined = outer
  for (const type of path.split('/'))
    box = box && (await boxesIn(file, box.content, box.end)).find(one => one.type === type)
  return box
}

// As many bytes as there are.
export async function bytesAt(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.max(0, length))
  let filled = 0
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}

export function makeBox(type: string, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([concatWords(content.length + 8), Buffer.from(type, 'latin1'), content])
}

// Numbers of 32 bits, whether they have a sign or not.
export function concatWords(...numbers: number[]): Buffer {
  return packWords(numbers)
}

export function packWords(numbers: number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length)
  for (const [at, number] of numbers.entries()) bytes.writeUInt32BE(number >>> 0, 4 * at)
  return bytes
}

export function longWord(number: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(number))
  return bytes
}
