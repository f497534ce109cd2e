import type { AllvbRecord } from './record.ts'

// Our words in the structure of the paper: one question with its subtitles, strict last line "Best Answer: ...".
export const systemText =
  'You know how to read videos and their subtitles. Look closely at the frames and at what is said with them, then choose the option that fits best.'

export function singleText(record: AllvbRecord, subtitles: readonly string[]): string {
  return [
    'You have frames of a film, what is said with them, and a question with five options. Choose by frames and subtitles.',
    `Subtitles: ${subtitles.join(' ')}`,
    `Question: ${questionText(record)}`,
    'Reply in this form and no other:',
    'Best Answer: [letter]',
  ].join('\n\n')
}

// All questions of a film at once. The paper sends about 183; a smaller chunk is a deviation and is to be reported.
export function batchText(records: readonly AllvbRecord[], subtitles: readonly string[]): string {
  return [
    `You have frames of a film, what is said with them, and ${records.length} questions with five options each. Choose by frames and subtitles.`,
    `Subtitles: ${subtitles.join(' ')}`,
    records.map((record, i) => `Question ${i + 1}: ${questionText(record)}`).join('\n\n'),
    'Reply in this form and no other:',
    records.map((_, i) => `Question ${i + 1}: [letter]`).join('\n'),
  ].join('\n\n')
}

// What is said at the frames: cues with start <= time < end, each cue once; the paper leaves this open too.
export function subtitlesAt(
  cues: readonly { start: number; end: number; text: string }[],
  times: readonly number[],
): string[] {
  return cues.filter(cue => times.some(time => cue.start <= time && time < cue.end)).map(cue => cue.text)
}

function questionText(record: AllvbRecord): string {
  return [record.question, ...record.options.map((option, i) => `${String.fromCharCode(65 + i)}. ${option}`)].join('\n')
}
