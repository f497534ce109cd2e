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
