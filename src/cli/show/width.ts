import measure from 'fast-string-truncated-width'

// How many columns of a terminal a text takes: two for Chinese letters and emoji, none for marks.
export function measureWidth(text: string): number {
  return measure(text).width
}

// As much of its beginning as fits.
export function cutToWidth(text: string, columns: number): string {
  return text.slice(0, measure(text, { limit: columns, ellipsis: '' }).index)
}

// A text without blanks in pieces that fit.
export function piecesOfWidth(text: string, columns: number): string[] {
  const pieces: string[] = []
  for (let rest = text; rest !== ''; ) {
    const piece = cutToWidth(rest, columns) || rest
    pieces.push(piece)
    rest = rest.slice(piece.length)
  }
  return pieces
}

const escapes = /\u001b\[[\d;]*m|\u001b\]8;;[^\u001b]*\u001b\\/g // styles and links, which take no room

// A line in several of at most so many columns, broken between words; what goes on is indented like the line.
export function wrapLine(line: string, columns: number): string {
  const wide = (text: string) => measureWidth(text.replace(escapes, ''))
  if (wide(line) <= columns) return line
  const indent = /^ */.exec(line)?.[0] ?? ''
  const lines: string[] = []
  for (const word of line.slice(indent.length).split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && wide(last) + 1 + wide(word) <= columns) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(`${indent}${word}`)
  }
  return lines.join('\n')
}
