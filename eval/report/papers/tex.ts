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
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\\~^<>|{}%$#&_Δκτ✓✗’]/g, sign => signs[sign] ?? `\\${sign}`)
}
