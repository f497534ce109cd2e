import { once } from '../../core/basics/once.ts'

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
