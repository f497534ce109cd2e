import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// A data folder of VideoEval-Pro with two videos of two seconds, and on demand some that are missing, wrong or broken.
export function smallData(folder: string, options: { faults?: boolean; questions?: number } = {}): string {
  const { faults = false, questions = 6 } = options
  const videos = join(folder, 'videos_filtered')
  mkdirSync(videos, { recursive: true })
  for (const colour of ['red', 'blue']) film(join(videos, `${colour}.mp4`), colour, 2)
  const names = ['red.mp4', 'blue.mp4']
  if (faults) {
    writeFileSync(join(videos, 'text.mp4'), 'this is no video')
    const whole = readFileSync(join(videos, 'red.mp4'))
    writeFileSync(join(videos, 'cut.mp4'), whole.subarray(0, Math.floor(whole.length / 2)))
    film(join(videos, 'long.mp4'), 'green', 20)
    names.push('missing.mp4', 'text.mp4', 'cut.mp4', 'long.mp4')
  }
  const rows = Array.from({ length: questions }, (_, i) => ({
    video: names[i % names.length],
    question: `What colour is thing ${i}?`,
    options: ['A. red', 'B. blue', 'C. green', 'D. grey'],
    answer: 'A',
    answer_text: 'red',
    qa_type: i % 2 === 0 ? 'Local Perception' : 'Holistic Reasoning',
    ...(names[i % names.length] === 'long.mp4' && { duration: 3600 }),
  }))
  writeFileSync(join(folder, 'test.jsonl'), rows.map(row => `${JSON.stringify(row)}\n`).join(''))
  return folder
}

// Settings under which such a video is indexed in a blink.
export const quickIndex = ['text', 'speech', 'sound'].flatMap(track => ['--set', `index.tracks.${track}=false`])

export function film(path: string, colour: string, seconds: number, size = '160x90', more: string[] = []): void {
  const source = `color=c=${colour}:s=${size}:r=10:d=${seconds}`
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    source,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    ...more,
    path,
  ])
}
