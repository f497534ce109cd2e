import { visibleLine } from '../../../src/core/words/visible-text.ts'

const signs: Record<string, string> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  Δ: '$\\Delta$',
  κ: '$\\kappa$',
  τ: '$\\tau$',
  '✓': 'yes',
  '✗': 'no',
  '’': "'",
}

// What has a meaning in TeX is written so that it is shown; signs that its fonts lack are written by name.
export function tex(text: string): string {
  return visibleLine(text)
    .replaceAll('\t', ' ')
    .replace(/[\\~^<>|{}%$#&_Δκτ✓✗’]/g, sign => signs[sign] ?? `\\${sign}`)
}
