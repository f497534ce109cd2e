import type { HeardWord } from '../whisper/segments.ts'
import type { SaidToken } from './messages.ts'

// The pieces of vocab.txt: "piece number" a line, the blank among them.
export function readVocabulary(text: string): { pieces: string[]; blank: number } {
  const pieces: string[] = []
  for (const line of text.split(/\r?\n/)) {
    const [, piece, id] = /^(\S+) (\d+)$/.exec(line) ?? []
    if (piece !== undefined) pieces[Number(id)] = piece
  }
  const blank = pieces.indexOf('<blk>')
  if (blank < 1 || blank !== pieces.length - 1) throw new Error('it does not end with "<blk>", the blank')
  return { pieces, blank }
}

const mark = /^[\p{P}\p{S}]+$/u

// Tokens to words: a piece that begins with "▁" begins a word. A mark belongs to its word, but does not make it last longer: it
// may be written in the pause after it. Language tags and the like are not text.
export function joinPieces(said: readonly SaidToken[], pieces: readonly string[], secondsOfFrame: number): HeardWord[] {
  const words: (HeardWord & { shares: number[] })[] = []
  for (const { token, frame, frames, share } of said) {
    const piece = pieces[token] ?? ''
    if (/^<.*>$/.test(piece)) continue
    const text = piece.replaceAll('▁', ' ')
    const start = frame * secondsOfFrame
    const end = (frame + Math.max(1, frames)) * secondsOfFrame
    const last = words.at(-1)
    if (last && !text.startsWith(' ')) {
      if (!mark.test(text)) last.end = end
      last.text += text
      last.shares.push(share)
    } else words.push({ text, start, end, confidence: 0, shares: [share] })
  }
  return words
    .filter(word => word.text.trim() !== '')
    .map(({ shares, ...word }, i, all) => ({
      ...word,
      end: Math.max(word.start, Math.min(word.end, all[i + 1]?.start ?? word.end)),
      confidence: shares.reduce((sum, share) => sum + share, 0) / shares.length,
    }))
}
