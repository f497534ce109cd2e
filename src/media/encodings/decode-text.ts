import chardet from 'chardet'
import { once } from '../../core/basics/once.ts'
import { multiByte, scoreMultiByte, scoreSingleByte, singleByte } from './candidates.ts'

interface DecodedText {
  text: string
  encoding: string
  guessed: boolean // from what the letters look like; nothing in the file says so
}

// The text of a subtitle file, whatever it was written with.
export function decodeText(bytes: Uint8Array): DecodedText {
  const utf16 = utf16Label(bytes)
  if (utf16) return { text: new TextDecoder(utf16).decode(bytes), encoding: utf16, guessed: false }
  if (hasJisEscape(bytes)) return { text: decode('iso-2022-jp', bytes), encoding: 'iso-2022-jp', guessed: false }
  const { letters, broken } = countUtf8(bytes)
  if (broken === 0 || letters >= 4 * broken || startsWithMark(bytes))
    return { text: decode('utf-8', bytes), encoding: 'utf-8', guessed: false }
  const encoding = guess(takeSample(bytes))
  return { text: decode(encoding, bytes), encoding, guessed: true }
}

function decode(label: string, bytes: Uint8Array): string {
  if (label === 'windows-1252') return decodeWindows1252(bytes)
  return label === 'euc-kr' ? decodeWindows949(bytes) : new TextDecoder(label).decode(bytes)
}

// The likeliest encoding of bytes that are not UTF-8. The first of equals wins: Windows-1252 by default.
function guess(sample: Uint8Array): string {
  const certainty = new Map(chardet.analyse(sample).map(({ name, confidence }) => [name as string, confidence / 100]))
  const sure = (names: string[]) => Math.max(0, ...names.map(name => certainty.get(name) ?? 0))
  const candidates = [
    ...singleByte.map(one => ({
      label: one.label,
      score: scoreSingleByte(decode(one.label, sample), one) + 0.5 * sure(one.chardet) + (one.usual ?? 0),
    })),
    ...multiByte.map(one => ({
      label: one.label,
      score: scoreMultiByte(decode(one.label, sample), one, sure([one.chardet])),
    })),
  ]
  const best = candidates.reduce((a, b) => (b.score > a.score ? b : a))
  return decode(best.label, sample) === decodeWindows1252(sample) ? 'windows-1252' : best.label
}

const sampleBytes = 16 * 1024

// Lines that hold letters beyond ASCII, from all of the file: times and tags say nothing about an encoding.
function takeSample(bytes: Uint8Array): Uint8Array {
  const spans: [from: number, to: number][] = []
  let size = 0
  for (let at = 0, from = 0, beyond = false; at <= bytes.length; at++) {
    const byte = bytes[at] ?? 0x0a
    if (byte >= 0x80) beyond = true
    if (byte !== 0x0a && byte !== 0x0d) continue
    const to = Math.min(at + 1, from + maxLine)
    if (beyond) {
      spans.push([from, to])
      size += to - from
    }
    from = at + 1
    beyond = false
  }
  const every = Math.ceil(size / sampleBytes)
  const lines = spans.filter((_, at) => at % every === 0).map(([from, to]) => bytes.subarray(from, to))
  return Buffer.concat(lines).subarray(0, 2 * sampleBytes)
}

const maxLine = 4096

// By its mark, or without one by the arrows between the times, which every file of cues holds.
function utf16Label(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const head = bytes.subarray(0, 4096)
  const zeros = (parity: number) => head.filter((byte, at) => byte === 0 && at % 2 === parity).length
  const [even, odd] = [zeros(0), zeros(1)]
  if (even + odd < head.length / 20) return undefined
  if (odd > 8 * even) return 'utf-16le'
  return even > 8 * odd ? 'utf-16be' : undefined
}

// ISO-2022-JP is ASCII with escapes, and so valid UTF-8.
function hasJisEscape(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return (buffer.includes('\u001b$B') || buffer.includes('\u001b$@')) && !bytes.some(byte => byte >= 0x80)
}

function startsWithMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

// Letters of several bytes that are valid UTF-8, and bytes that belong to none.
function countUtf8(bytes: Uint8Array): { letters: number; broken: number } {
  let letters = 0
  let broken = 0
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at]!
    if (first < 0x80) {
      at++
      continue
    }
    const more =
      first >= 0xc2 && first < 0xe0 ? 1 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xf0 && first < 0xf5 ? 3 : 0
    let continuations = 0
    while (continuations < more && (bytes[at + 1 + continuations]! & 0xc0) === 0x80) continuations++
    if (more > 0 && continuations === more) letters++
    else broken++
    at += 1 + continuations
  }
  return { letters, broken }
}

// What Windows-1252 has where Latin-1 has controls. Node 20 reads "windows-1252" as Latin-1 (nodejs/node #56542).
const upper = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

function decodeWindows1252(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, char => upper[char.charCodeAt(0) - 0x80]!)
}

// Korean as Windows writes it: EUC-KR, and in the free pairs of bytes the syllables that it lacks, in the order of Unicode. Node's
// "euc-kr" has only the first ones.
export function decodeWindows949(bytes: Uint8Array): string {
  const decoder = new TextDecoder('euc-kr')
  let text = ''
  let from = 0
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at]! < 0x81) continue
    const syllable = syllableAt(bytes[at]!, bytes[at + 1] ?? 0)
    if (syllable !== undefined) {
      text += decoder.decode(bytes.subarray(from, at)) + syllable
      from = at + 2
    }
    at++
  }
  return text + decoder.decode(bytes.subarray(from))
}

const firstRows = 0xa1 - 0x81 // of 178 pairs each; below them EUC-KR has the upper half of a row
const shortRow = 84

function syllableAt(lead: number, trail: number): string | undefined {
  const column =
    trail >= 0x81
      ? trail - 0x81 + 52
      : trail >= 0x61 && trail <= 0x7a
        ? trail - 0x61 + 26
        : trail >= 0x41 && trail <= 0x5a
          ? trail - 0x41
          : -1
  if (column < 0 || lead > 0xc6 || trail === 0xff) return undefined
  if (lead <= 0xa0) return further()[(lead - 0x81) * 178 + column]
  return column < shortRow ? further()[firstRows * 178 + (lead - 0xa1) * shortRow + column] : undefined
}

const further = once(() => {
  const pairs = new Uint8Array(2 * 25 * 94)
  for (let at = 0; at < 25 * 94; at++) pairs.set([0xb0 + Math.floor(at / 94), 0xa1 + (at % 94)], 2 * at)
  const plain = new Set(new TextDecoder('euc-kr').decode(pairs))
  const all = Array.from({ length: 0xd7a4 - 0xac00 }, (_, at) => String.fromCharCode(0xac00 + at))
  return all.filter(syllable => !plain.has(syllable))
})
