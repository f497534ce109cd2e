import { expect, test } from 'vitest'
import { withSpeakerLabels } from './speaker-labels.ts'

function read(...texts: string[]): string[] {
  const cues = texts.map((text, at) => ({ span: { start: at, end: at + 1 }, text }))
  return withSpeakerLabels(cues).map(({ text, speaker }) => (speaker ? `<${speaker}> ${text}` : text))
}

test('a name in capitals before a colon is the speaker where it comes twice', () => {
  expect(read('ANNA: Good morning.', 'How are you?', '- ANNA: Well? - DR. LEE: Fine.', '>> DR. LEE: Goodbye.')).toEqual(
    ['<ANNA> Good morning.', 'How are you?', '<ANNA> Well? - DR. LEE: Fine.', '>> DR. LEE: Goodbye.'],
  )
  expect(read('ANNA: One.', 'BOB: Two.', 'ANNA: Three. - BOB: Four.', 'BOB: Five.')).toEqual([
    '<ANNA> One.',
    '<BOB> Two.',
    '<ANNA> Three.',
    '<BOB> Four.',
    '<BOB> Five.',
  ])
})

test('headings, notes, times and text in capitals throughout name nobody', () => {
  const plain = [
    ['NASA: The launch is today.', 'Good luck.'],
    ['WARNING: Wet paint.', 'WARNING: Still wet.'],
    ['We meet at 10:30 today.', 'Or at 10:45 today.'],
    ['ANNA: HELLO', 'ANNA: GOODBYE'],
    ['Anna: hello', 'Anna: goodbye'],
    ['He said: "No."', 'She said: "Yes."'],
  ]
  for (const texts of plain) expect(read(...texts)).toEqual(texts)
})

test('a cue that names its speaker already stays as it is', () => {
  const cues = ['ANNA: One.', 'ANNA: Two.'].map((text, at) => ({
    span: { start: at, end: at + 1 },
    text,
    speaker: 'Bob',
  }))
  expect(withSpeakerLabels(cues)).toEqual(cues)
})
