// What has a meaning in TeX is written so that it is shown.
export function tex(text: string): string {
  const signs: Record<string, string> = {
    '\\': '\\textbackslash{}',
    '~': '\\textasciitilde{}',
    '^': '\\textasciicircum{}',
    '<': '\\textless{}',
    '>': '\\textgreater{}',
    '|': '\\textbar{}',
  }
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').replace(/[\\~^<>|{}%$#&_]/g, sign => signs[sign] ?? `\\${sign}`)
}
