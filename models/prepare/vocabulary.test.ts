import { expect, test } from 'vitest'
import { groupWords, readWhisperWords, WhisperVocabulary } from './vocabulary.ts'

// Every byte is a token, as in the vocabularies of Whisper; some longer pieces, and special tokens at the end.
const letters = Array.from({ length: 256 }, (_, byte) => byte)
let unseen = 0
const byteLetter = letters.map(byte =>
  (byte > 32 && byte < 127) || (byte > 160 && byte !== 173)
    ? String.fromCodePoint(byte)
    : String.fromCodePoint(256 + unseen++),
)
const vocab = Object.fromEntries(byteLetter.map((letter, id) => [letter, id]))
const vocabulary = new WhisperVocabulary(
  readWhisperWords(
    JSON.stringify({
      model: { vocab: { ...vocab, Ġhello: 256, Ġwor: 257, ld: 258 } },
      added_tokens: [{ id: 300, content: '<|endoftext|>' }],
    }),
  ),
)
const bytes = (text: string) => [...Buffer.from(text)]
const words = (tokens: number[]) => groupWords(tokens, vocabulary).map(word => word.text)

test('words begin at spaces, and marks join the word before them', () => {
  expect(words([256, ...bytes(','), 257, 258, ...bytes('!')])).toEqual([' hello,', ' world!'])
  expect(words(bytes(' he said "stop" (twice)'))).toEqual([' he', ' said', ' "stop"', ' (twice)'])
})

test('a letter that lies across tokens is read whole', () => {
  expect(words(bytes(' Größe 🎬 café'))).toEqual([' Größe', ' 🎬', ' café'])
})

test('scripts without spaces give a word a letter', () => {
  expect(words(bytes('你好。再见'))).toEqual(['你', '好。', '再', '见'])
})

test('each word knows its first and last token', () => {
  expect(groupWords([256, 257, 258], vocabulary).map(({ from, to }) => [from, to])).toEqual([
    [0, 0],
    [1, 2],
  ])
})

test('special tokens are no text', () => {
  expect(vocabulary.text([256, 300])).toBe(' hello')
  expect(vocabulary.isText(300)).toBe(false)
  expect(vocabulary.special('<|endoftext|>')).toBe(300)
})
