import { crc32 } from 'node:zlib'
import type { Member } from './member.ts'

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
  'utf-8',
  'gb18030',
  'big5',
  'shift_jis',
  'euc-jp',
  'euc-kr',
  'windows-1251',
  'ibm866',
  'koi8-r',
  'windows-1250',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'windows-874',
]

const cp437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

function fromCp437(bytes: Buffer): string {
  return Array.from(bytes, byte => (byte < 0x80 ? String.fromCharCode(byte) : cp437[byte - 0x80])).join('')
}

function decoded(bytes: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
