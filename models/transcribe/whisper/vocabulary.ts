import { z } from 'zod'

// tokenizer.json, as far as it is needed to read what a model has written.
export const TokenizerFile = z.looseObject({
  model: z.looseObject({
    vocab: z.custom<Record<string, number>>(value => typeof value === 'object' && value !== null),
  }),
  added_tokens: z.array(z.looseObject({ id: z.number().int(), content: z.string() })),
})
export type TokenizerFile = z.infer<typeof TokenizerFile>

// The words of a byte-level vocabulary. A letter may lie across tokens, so text is made of bytes, not of pieces.
export class Vocabulary {
  readonly #pieces = new Map<number, string>()
  readonly #special = new Map<string, number>()

  constructor(file: TokenizerFile) {
    for (const [piece, id] of Object.entries(file.model.vocab)) this.#pieces.set(id, piece)
    for (const { id, content } of file.added_tokens) {
      this.#pieces.delete(id)
      this.#special.set(content, id)
    }
  }

  special(name: string): number | undefined {
    return this.#special.get(name)
  }

  // What is no token of text, as times and marks, is left out.
  text(tokens: readonly number[]): string {
    const bytes = tokens.flatMap(token => [...(this.#pieces.get(token) ?? '')].map(letter => bytesOf.get(letter) ?? 63))
    return new TextDecoder().decode(Uint8Array.from(bytes))
  }

  isText(token: number): boolean {
    return this.#pieces.has(token)
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
