// A stream of raw pictures and samples with their times, as Matroska: it lets one pipe carry both to ffmpeg, and a picture that
// stays is sent once. Only what that needs of the format (RFC 9559): two tracks, a cluster for each piece.

interface MatroskaOptions {
  width: number
  height: number
  fps: number
  rate: number
}

// A number is written in as few bytes as it needs, and bytes as they are.
type Element = [id: number, content: number | string | Uint8Array | Element[]]

const unknownSize = Uint8Array.of(0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)

export function matroskaHead({ width, height, fps, rate }: MatroskaOptions): Uint8Array {
  const head: Element = [
    0x1a45dfa3,
    [
      [0x4282, 'matroska'],
      [0x4287, 4], // format version
      [0x4285, 2], // what a reader must know
      [0x42f2, 4], // max length of an id
      [0x42f3, 8], // max length of a size
    ],
  ]
  const frame: Element[] = [
    [0xb0, width],
    [0xba, height],
    [0x2eb524, 'I420'],
  ]
  const samples: Element[] = [
    [0xb5, float(rate)],
    [0x9f, 1],
    [0x6264, 32],
  ]
  const information: Element[] = [
    [0x2ad7b1, 1_000_000],
    [0x4d80, 'longtake'],
    [0x5741, 'longtake'],
  ]
  const picture = track(1, 'V_UNCOMPRESSED', [0x23e383, Math.round(1e9 / fps)], [0xe0, frame])
  const sound = track(2, 'A_PCM/FLOAT/IEEE', [0xe1, samples])
  return Buffer.concat([
    encode(head),
    number(0x18538067),
    unknownSize,
    encode([0x1549a966, information]),
    encode([0x1654ae6b, [picture, sound]]),
  ])
}

// Its number, its id, its type and its codec, then what only tracks of this type have.
function track(id: 1 | 2, codec: string, ...more: Element[]): Element {
  return [0xae, [[0xd7, id], [0x73c5, id], [0x83, id], [0x86, codec], ...more]]
}

// What goes before the bytes of one piece. Milliseconds.
export function matroskaPiece(track: 'picture' | 'sound', time: number, length: number): Uint8Array {
  const block = Uint8Array.of(track === 'picture' ? 0x81 : 0x82, 0, 0, 0x80) // track, time within the cluster, a key piece
  const start = Buffer.concat([encode([0xe7, time]), number(0xa3), size(block.length + length), block])
  return Buffer.concat([number(0x1f43b675), size(start.length + length), start])
}

function encode([id, content]: Element): Uint8Array {
  const bytes = Array.isArray(content)
    ? Buffer.concat(content.map(encode))
    : typeof content === 'number'
      ? number(content)
      : Buffer.from(content)
  return Buffer.concat([number(id), size(bytes.length), bytes])
}

function size(length: number): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(length) | (1n << 56n))
  return bytes
}

function number(value: number): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  const first = bytes.findIndex(byte => byte !== 0)
  return bytes.subarray(first < 0 ? 7 : first)
}

function float(value: number): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return bytes
}
