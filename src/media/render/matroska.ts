// A stream of raw pictures and samples with their times, as Matroska: it lets one pipe carry both to ffmpeg, and a picture that
// stays is sent once. Only what that needs of the format (RFC 9559): two tracks, a cluster for each piece.

export interface MatroskaOptions {
  width: number
  height: number
  fps: number
  rate: number
}

const unknownSize = Uint8Array.of(0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)

export function matroskaHead({ width, height, fps, rate }: MatroskaOptions): Uint8Array {
  const head = element(
    0x1a45dfa3,
    join(
      element(0x4282, latin('matroska')),
      element(0x4287, number(4)), // format version
      element(0x4285, number(2)), // what a reader must know
      element(0x42f2, number(4)), // longest id
      element(0x42f3, number(8)), // longest size
    ),
  )
  const information = element(
    0x1549a966,
    join(element(0x2ad7b1, number(1_000_000)), element(0x4d80, latin('longtake')), element(0x5741, latin('longtake'))),
  )
  const picture = element(
    0xae,
    join(
      element(0xd7, number(1)),
      element(0x73c5, number(1)),
      element(0x83, number(1)),
      element(0x86, latin('V_UNCOMPRESSED')),
      element(0x23e383, number(Math.round(1e9 / fps))),
      element(
        0xe0,
        join(element(0xb0, number(width)), element(0xba, number(height)), element(0x2eb524, latin('I420'))),
      ),
    ),
  )
  const sound = element(
    0xae,
    join(
      element(0xd7, number(2)),
      element(0x73c5, number(2)),
      element(0x83, number(2)),
      element(0x86, latin('A_PCM/FLOAT/IEEE')),
      element(0xe1, join(element(0xb5, float(rate)), element(0x9f, number(1)), element(0x6264, number(32)))),
    ),
  )
  return join(head, id(0x18538067), unknownSize, information, element(0x1654ae6b, join(picture, sound)))
}

// What goes before the bytes of one piece. Milliseconds.
export function matroskaPiece(track: 'picture' | 'sound', time: number, length: number): Uint8Array {
  const block = Uint8Array.of(track === 'picture' ? 0x81 : 0x82, 0, 0, 0x80) // track, time within the cluster, a key piece
  const when = element(0xe7, number(time))
  const whole = join(id(0xa3), size(block.length + length))
  return join(id(0x1f43b675), size(when.length + whole.length + block.length + length), when, whole, block)
}

function element(name: number, body: Uint8Array): Uint8Array {
  return join(id(name), size(body.length), body)
}

function id(name: number): Uint8Array {
  return number(name)
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

function latin(text: string): Uint8Array {
  return Buffer.from(text, 'latin1')
}

function join(...parts: Uint8Array[]): Uint8Array {
  return Buffer.concat(parts)
}
