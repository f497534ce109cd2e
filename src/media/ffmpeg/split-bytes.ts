// Cuts a stream of bytes into blocks of one size; a torn last block is dropped. A block that came whole is a view of what was read;
// like the others it is a plain array, also where that is a Buffer.
export async function* splitBlocks(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array[]> {
  let torn: Uint8Array | undefined
  let filled = 0
  for await (const piece of bytes) {
    const blocks: Uint8Array[] = []
    for (let at = 0; at < piece.length; ) {
      if (!torn && piece.length - at >= size) {
        blocks.push(new Uint8Array(piece.buffer, piece.byteOffset + at, size))
        at += size
        continue
      }
      torn ??= new Uint8Array(size)
      const copied = Math.min(size - filled, piece.length - at)
      torn.set(piece.subarray(at, at + copied), filled)
      filled += copied
      at += copied
      if (filled < size) continue
      blocks.push(torn)
      torn = undefined
      filled = 0
    }
    if (blocks.length > 0) yield blocks
  }
}

// The parts of ffmpeg's multipart stream of JPEGs: a head with the length, then the bytes; a torn last part is dropped.
export async function* splitJpegs(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head = ''
  let jpeg: Uint8Array | undefined
  let filled = 0
  for await (const piece of bytes) {
    for (let at = 0; at < piece.length; ) {
      if (!jpeg) {
        const headLength = head.length
        head += Buffer.from(piece.subarray(at, at + maxHead)).toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end < 0 && head.length > maxHead) throw new Error('The stream of stills lost its frame.')
        at += (end < 0 ? head.length : end + 4) - headLength
        if (end < 0) continue
        jpeg = new Uint8Array(lengthIn(head.slice(0, end)))
        head = ''
        filled = 0
      }
      const copied = Math.min(jpeg.length - filled, piece.length - at)
      jpeg.set(piece.subarray(at, at + copied), filled)
      filled += copied
      at += copied
      if (filled < jpeg.length) continue
      yield jpeg
      jpeg = undefined
    }
  }
}

const maxHead = 512 // bytes

function lengthIn(head: string): number {
  const length = Number(/content-length: *(\d+)/i.exec(head)?.[1])
  if (!(length > 0)) throw new Error('The stream of stills lost its frame.')
  return length
}

// Whole 16-bit samples only: an odd byte waits for its other half.
export async function* splitSamples(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let odd: Uint8Array | undefined
  for await (const piece of bytes) {
    const whole = odd ? Buffer.concat([odd, piece]) : piece
    const end = whole.length & ~1
    odd = end < whole.length ? whole.slice(end) : undefined
    if (end > 0) yield whole.subarray(0, end)
  }
}

// The lines of a stream as it comes; a torn last line is dropped.
export function byLine(take: (line: string) => void): (piece: Uint8Array) => void {
  let rest = ''
  return piece => {
    const lines = (rest + Buffer.from(piece).toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  }
}
