import { z } from 'zod'

// tokenizer.json, as far as it is needed to read what a model has written.
const TokenizerFile = z.looseObject({
  model: z.looseObject({
    vocab: z.custom<Record<string, number>>(value => typeof value === 'object' && value !== null),
  }),
  added_tokens: z.array(z.looseObject({ id: z.number().int(), content: z.string() })),
})

// A vocabulary as one thread hands it to another: a string goes over at once, fifty thousand entries do not.
export interface Words {
  pieces: string // the piece of token 0, of token 1 and so on, a line each; empty where a token is not text
  special: [name: string, id: number][]
}

export function readVocabulary(tokenizerJson: string): Words {
  const { model, added_tokens } = TokenizerFile.parse(JSON.parse(tokenizerJson))
  const pieces: string[] = []
  for (const [piece, id] of Object.entries(model.vocab)) pieces[id] = piece
  for (const { id } of added_tokens) pieces[id] = ''
  return {
    pieces: Array.from(pieces, piece => piece ?? '').join('\n'),
    special: added_tokens.map(token => [token.content, token.id]),
  }
}

// The words of a byte-level vocabulary. A letter may lie across tokens, so text is made of bytes, not of pieces.
export class Vocabulary {
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
