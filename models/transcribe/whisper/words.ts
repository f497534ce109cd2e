import type { Vocabulary } from './vocabulary.ts'

export interface TextWord {
  text: string // as written, with the space before it
  from: number // first and last token, as indices of the given ones
  to: number
}

// Groups tokens into words: at spaces, and in scripts without spaces at each letter that is whole. Marks join the word
// that they belong to.
export function groupWords(tokens: readonly number[], vocabulary: Vocabulary): TextWord[] {
  const letters = wholeLetters(tokens, vocabulary)
  const words: TextWord[] = []
  for (const piece of letters) {
    const last = words.at(-1)
    const starts = /^\s/u.test(piece.text) || unspaced.test(piece.text) || (last && unspaced.test(last.text))
    if (!last || (starts && !closing.test(piece.text) && !opening.test(last.text))) words.push({ ...piece })
    else {
      last.text += piece.text
      last.to = piece.to
    }
  }
  return words.filter(word => word.text.trim() !== '')
}

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Myanmar}]$/u
const closing = /^[.,!?:;)\]}"'”’。，！？：；）」』、…%]+$/u
const opening = /^\s*[("'“¿¡[{（「『-]$/u

// The least runs of tokens that are whole letters.
function wholeLetters(tokens: readonly number[], vocabulary: Vocabulary): TextWord[] {
  const found: TextWord[] = []
  let from = 0
  for (let to = 0; to < tokens.length; to++) {
    const text = vocabulary.text(tokens.slice(from, to + 1))
    if (text.endsWith('\ufffd') && to + 1 < tokens.length && to - from < 4) continue
    found.push({ text, from, to })
    from = to + 1
  }
  return found
}
