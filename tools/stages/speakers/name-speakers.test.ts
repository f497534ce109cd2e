import { expect, test } from 'vitest'
import { type Evidence, stamp, type Word } from '../../../src/core/evidence.ts'
import { nameSpeakers } from './name-speakers.ts'

const by = 'transcribe/whisper'

// Words of half a second each.
function line(start: number, text: string, spoken = text): Evidence {
  const words: Word[] = spoken.split(' ').map((text, at) => ({
    ...{ text, start: start + at / 2, end: start + at / 2 + 0.45, confidence: 0.8 },
  }))
  const end = words.at(-1)?.end ?? start
  return stamp({ span: { start, end }, track: 'speech', text, words, confidence: 0.8 }, 'v', by)
}

function turn(start: number, end: number, speaker: number) {
  return { span: { start, end }, speaker }
}

function said(lines: readonly Evidence[]): string[] {
  return lines.map(({ speaker, text }) => `${speaker}: ${text}`)
}

test('speakers are numbered in the order in which they first speak, whatever the diariser calls them', () => {
  const lines = [line(10, 'and me'), line(0, 'good morning')]
  const named = nameSpeakers(lines, [turn(10, 12, 4), turn(0, 1, 7)])
  expect(said(named.lines)).toEqual(['Speaker 1: good morning', 'Speaker 2: and me'])
  expect(named.turns.map(({ speaker }) => speaker)).toEqual(['Speaker 1', 'Speaker 2'])
})

test('a line is cut where the speaker changes, with the punctuation of its text and the times of its words', () => {
  const whole = line(0, 'Where is Sheila from? I am from Chicago.', 'where is Sheila from I am from Chicago')
  const spoken = line(0, 'Where is Sheila from? I am from Chicago.', 'Where is Sheila from I am from Chicago')
  const turns = [turn(0, 2, 0), turn(2, 4, 1)]
  const { lines } = nameSpeakers([spoken], turns)
  expect(said(lines)).toEqual(['Speaker 1: Where is Sheila from?', 'Speaker 2: I am from Chicago.'])
  expect(lines.map(({ span }) => span)).toEqual([
    { start: 0, end: 1.95 },
    { start: 2, end: 3.95 },
  ])
  expect(lines.map(({ words }) => words?.length)).toEqual([4, 4])
  expect(new Set([...lines.map(({ id }) => id), spoken.id]).size).toBe(3)
  // Where the words are written in another way than the text, the words are what there is.
  expect(said(nameSpeakers([whole], turns).lines)).toEqual([
    'Speaker 1: where is Sheila from',
    'Speaker 2: I am from Chicago',
  ])
})

test('a line by one speaker keeps its id, and so do answers that cite it', () => {
  const own = line(3, 'nothing is cut here')
  const { lines } = nameSpeakers([own], [turn(3, 5, 0)])
  expect(lines).toEqual([{ ...own, speaker: 'Speaker 1' }])
})

test('one short word between two of another speaker is an error of a boundary, a longer one is not', () => {
  const short: Evidence = { ...line(0, 'one two three four'), words: undefined }
  const words = ['one', 'two', 'three', 'four'].map((text, at) => ({ text, start: at, end: at + 0.3 }))
  const turns = [turn(0, 0.9, 0), turn(1, 1.4, 1), turn(2, 4, 0)]
  expect(said(nameSpeakers([{ ...short, words }], turns).lines)).toEqual(['Speaker 1: one two three four'])
  const long = words.map(word => ({ ...word, end: word.start + 0.6 }))
  expect(said(nameSpeakers([{ ...short, words: long }], turns).lines)).toEqual([
    'Speaker 1: one',
    'Speaker 2: two',
    'Speaker 1: three four',
  ])
})

test('a line without words belongs to whoever speaks most of it; one far from every turn to nobody', () => {
  const cue = { ...line(0, 'a long cue of somebody'), words: undefined }
  const far = { ...line(20, 'not said by anyone'), words: undefined }
  const { lines } = nameSpeakers([cue, far], [turn(0, 0.5, 0), turn(0.5, 3, 1)])
  expect(said(lines)).toEqual(['Speaker 1: a long cue of somebody', 'undefined: not said by anyone'])
})

test('where two speak at once a word belongs to whoever speaks during more of it', () => {
  const { lines } = nameSpeakers([line(0, 'yes I think so')], [turn(0, 2, 0), turn(0.1, 0.4, 1)])
  expect(said(lines)).toEqual(['Speaker 1: yes I think so'])
})
