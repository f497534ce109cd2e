import type { VideoEvalProRecord } from './record.ts'

// The two independent requests about an item, after its frames: our words in the released structure.
export function promptText(task: 'open' | 'mcq', record: VideoEvalProRecord): string {
  if (task === 'open') return `${record.question} Answer in a few words.`
  return [
    'Which option is right, by what the video shows? Reply with its letter alone.',
    record.question,
    record.options.join(' '),
  ].join('\n')
}

// Which of `total` frames in file order are shown: all while there are no more than `count`, else evenly from the first.
export function framesOf(total: number, count: number): number[] {
  const shown = Math.min(total, count)
  return Array.from({ length: shown }, (_, i) => (total <= count ? i : Math.trunc((i * total) / count)))
}
