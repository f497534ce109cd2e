import { z } from 'zod'

// tokenizer.json, as far as it is needed to read what a model has written.
const TokenizerFile = z.looseObject({
  model: z.looseObject({
    vocab: z.custom<Record<string, number>>(value => typeof value === 'object' && value !== null),
  }),
  added_tokens: z.array(z.looseObject({ id: z.number().int(), content: z.string() })),
})

// A vocabulary as it is sent between threads: one string is copied at once, fifty thousand entries are not.
export interface Words {
  pieces: string // the piece of token 0, of token 1 and so on, a line each; empty where a token is not text
  special: [name: string, id: number][]
}

export function readWhisperWords(tokenizerJson: string): Words {
  const { model, added_tokens } = TokenizerFile.parse(JSON.parse(tokenizerJson))
  const pieces: string[] = []
  for (const [piece, id] of Object.entries(model.vocab)) pieces[id] = piece
  for (const { id } of added_tokens) pieces[id] = ''
  return {
    pieces: Array.from(pieces, piece => piece ?? '').join('\n'),
    special: added_tokens.map(token => [token.content, token.id]),
  }
}

// The words of a byte-level vocabulary. A letter may span tokens, so text is decoded from bytes, not from pieces.
export class WhisperVocabulary {
  readonly #pieces: string[]
  readonly #special: Map<string, number>

  constructor({ pieces, special }: Words) {
    this.#pieces = pieces.split('\n')
    this.#special = new Map(special)
  }

  special(name: string): number | undefined {
    return this.#special.get(name)
  }

  // What is not a token of text, as times and marks, is left out.
  text(tokens: readonly number[]): string {
    const bytes = tokens.flatMap(token => [...(this.#pieces[token] ?? '')].map(letter => bytesOf.get(letter) ?? 63))
    return new TextDecoder().decode(Uint8Array.from(bytes))
  }

  isText(token: number): boolean {
    return Boolean(this.#pieces[token])
  }
}

// Byte-level vocabularies write each byte as a letter that can be seen.
const bytesOf = new Map<string, number>()
{
  let unseen = 0
  for (let byte = 0; byte < 256; byte++) {
    const seen = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173)
    bytesOf.set(String.fromCodePoint(seen ? byte : 256 + unseen++), byte)
  }
}

export interface TextWord {
  text: string // as written, with the space before it
  from: number // first and last token, as indices of the given ones
  to: number
}

// Groups tokens into words: at spaces, and in scripts without spaces at each letter that is whole. Marks join the word
// that they belong to.
export function groupWords(tokens: readonly number[], vocabulary: WhisperVocabulary): TextWord[] {
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

// The shortest runs of tokens that are whole letters.
function wholeLetters(tokens: readonly number[], vocabulary: WhisperVocabulary): TextWord[] {
  const textWords: TextWord[] = []
  let from = 0
  for (let to = 0; to < tokens.length; to++) {
    const text = vocabulary.text(tokens.slice(from, to + 1))
    if (text.endsWith('\ufffd') && to + 1 < tokens.length && to - from < 4) continue
    textWords.push({ text, from, to })
    from = to + 1
  }
  return textWords
}
