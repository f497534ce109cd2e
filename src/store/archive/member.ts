import { crc32 } from 'node:zlib'

// One file in an archive. Reading it fails where it is not as large, or not the same, as the archive says.
export interface Member {
  name: string // as the archive has it, with "/"
  size: number
  raw?: Buffer // the bytes of the name, where they may be in an encoding that the archive does not name
  target?: Member // for a hard link: the file that it is
  fault?: string // why it cannot be read
}

export interface ReadableMember extends Member {
  read(): AsyncIterable<Uint8Array>
}

export class ArchiveError extends Error {}

// The folders and the name under which a member may be put below a folder of ours; undefined if its name would lead out of it,
// or means something else on another system.
export function safePath(name: string): string[] | undefined {
  const parts = name.replace(/^(?:\.\/)+/, '').split('/')
  const safe = parts.every(
    part => part !== '' && part !== '.' && part !== '..' && Buffer.byteLength(part) <= 200 && !odd.test(part),
  )
  return safe && parts.length <= 20 && Buffer.byteLength(name) <= 1000 ? parts : undefined
}

const odd = /[\\:\p{Cc}]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu

// Passes the bytes on while they are no more than promised; fails at the end where they are fewer.
export async function* exactly(bytes: AsyncIterable<Uint8Array>, { name, size }: Member): AsyncIterable<Uint8Array> {
  let seen = 0
  for await (const piece of bytes) {
    seen += piece.length
    if (seen > size) throw new ArchiveError(`${name} is larger than the archive says.`)
    yield piece
  }
  if (seen < size) throw new ArchiveError(`${name} ends after ${seen} of ${size} bytes.`)
}

type Named = Pick<Member, 'name' | 'raw'>

// A name as archives store it: bytes, mostly UTF-8. Where they are not, zip files mean code page 437 (APPNOTE, appendix D); tar
// files say nothing. Programs often write that of their system instead, so the bytes are kept for `spellings`.
export function memberName(bytes: Buffer, otherwise: 'cp437' | 'latin1', isUtf8 = false): Named {
  if (bytes.every(byte => byte < 0x80)) return { name: bytes.toString('latin1') }
  const raw = isUtf8 ? {} : { raw: Buffer.from(bytes) }
  const text = decoded(bytes, 'utf-8')
  if (text !== undefined) return { name: text, ...raw }
  return { name: otherwise === 'cp437' ? fromCp437(bytes) : bytes.toString('latin1'), raw: Buffer.from(bytes) }
}

// What the bytes of a name mean in the encodings that systems have had: a guess, to be held against a name that is known.
export function spellings({ raw }: Pick<Member, 'raw'>): { name: string; encoding: string }[] {
  if (!raw) return []
  const read = systemEncodings.flatMap(encoding => {
    const name = decoded(raw, encoding)
    return name === undefined ? [] : [{ name, encoding }]
  })
  return [...read, { name: fromCp437(raw), encoding: 'cp437' }]
}

// Info-ZIP's Unicode Path (0x7075): the name in UTF-8, if it was written for the name that stands in the list.
export function unicodePath(extra: Buffer, bytes: Buffer): Buffer | undefined {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    const field = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2))
    if (extra.readUInt16LE(at) !== 0x7075 || field.length < 6 || field[0] !== 1) continue
    if (field.readUInt32LE(1) === crc32(bytes)) return field.subarray(5)
  }
  return undefined
}

const systemEncodings = [
  ...['utf-8', 'gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr', 'windows-1251', 'ibm866', 'koi8-r'],
  ...[1250, 1252, 1253, 1254, 1255, 1256, 1257, 1258, 874].map(page => `windows-${page}`),
]

const cp437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

function fromCp437(bytes: Buffer): string {
  return Array.from(bytes, byte => (byte < 0x80 ? String.fromCharCode(byte) : cp437.charAt(byte - 0x80))).join('')
}

function decoded(bytes: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
