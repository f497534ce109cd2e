import { drawFor } from './draw.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz'
const substituted = 0.7
const lost = 0.85

// A text with errors: each letter or digit is wrong with the chance of `cer`: another of its kind, lost, or one more after it.
export function misread(text: string, cer: number, draw: () => number): string {
  return [...text]
    .map(sign => {
      if (!/[\p{L}\p{N}]/u.test(sign)) return sign
      const [chance, kind, which] = [draw(), draw(), draw()]
      if (chance >= cer) return sign
      if (kind < substituted) return another(sign, which)
      return kind < lost ? '' : sign + another(sign, which)
    })
    .join('')
}

function another(sign: string, which: number): string {
  if (/\d/.test(sign)) return String((Number(sign) + 1 + Math.floor(which * 9)) % 10)
  const lower = sign.toLowerCase()
  const others = letters.replace(lower, '')
  const found = others[Math.floor(which * others.length)]
  return sign === lower ? found : found.toUpperCase()
}

export function textDraw(seed: number, place: unknown, text: string): () => number {
  return drawFor(seed, 'ocr', place, text)
}
