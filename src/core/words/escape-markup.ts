import { visibleText } from './visible-text.ts'

// Words for a client that shows them as Markdown or HTML. Every "<" that may begin a tag, a comment or an autolink becomes an entity
// (a backslash would not stop an HTML parser, and one in the words would undo it). Images, reference definitions and links other
// than to http and https lose their meaning.
export function escapeMarkup(text: string): string {
  return visibleText(text)
    .replace(/<(?=[\p{L}/!?])/gu, '&lt;')
    .replaceAll('![', '!\\[')
    .replace(/\](?=:|\((?!https?:\/\/))/gi, ']\\')
}

// What the next piece may change: the last letter with its marks, with the sign before it, or a link up to the end of its scheme.
const unfinished = /(?:\](?:\([a-zA-Z]{0,5}:?\/?)?|<!?|!)?[^\p{M}\p{Cf}][\p{M}\p{Cf}]*$/u

// The same for a text that comes in pieces: what it returns is, joined, `escapeMarkup` of the whole.
export function openMarkupStream(): { write(piece: string): string; end(): string } {
  let pending = ''
  const release = (length: number) => {
    const ready = pending.slice(0, length)
    pending = pending.slice(length)
    return escapeMarkup(ready)
  }
  return {
    write(piece) {
      pending += piece
      return release(Math.max(0, pending.search(unfinished)))
    },
    end: () => release(pending.length),
  }
}
