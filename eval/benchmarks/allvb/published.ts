import { publishedTable } from '../published.ts'

const tasks = Object.fromEntries(
  ['VC', 'SR', 'ODT', 'AR', 'TAL', 'ED', 'VCap', 'VER', 'NH'].map(task => [task, { group: task, metric: 'accuracy' }]),
)

// Test split (140 films), 16 frames with their subtitles.
export const allvbTest = publishedTable(
  { benchmark: 'allvb', split: 'test', source: 'ALLVB paper, Table 2', metrics: ['average'], groups: tasks },
  `
model            | VC   | SR   | ODT  | AR   | TAL  | ED   | VCap | VER  | NH   | average
Otter-I          | 37.7 | 30.1 | 25.1 | 22.8 | 22.8 | 26.4 | 29.1 | 31.7 | 19.6 | 26.9
LLaVA-1.6        | 68.4 | 51.3 | 39   | 43.6 | 43.3 | 46.1 | 56.2 | 57.3 | 32.3 | 48.5
GPT4-Turbo       | 84.5 | 59.7 | 51.9 | 58.5 | 53.5 | 63.2 | 72.2 | 67.5 | 32.9 | 60.8
Otter-V          | 25.6 | 23.6 | 22.3 | 22.8 | 25.9 | 24.4 | 22.7 | 20   | 19.6 | 23.1
mPlug-Owl-V      | 22.8 | 25.6 | 21.5 | 25.4 | 22   | 25.2 | 23.8 | 22.3 | 17.8 | 23.3
MovieChat        | 26.2 | 25.6 | 23   | 23.8 | 23   | 26.7 | 25.1 | 24.6 | 20.9 | 24.4
VideoChat        | 35.2 | 31.8 | 26.3 | 29.4 | 29.5 | 30.9 | 31.6 | 34.3 | 23.2 | 30.4
VideoChat2       | 52.3 | 34.3 | 31.9 | 36.9 | 36   | 37   | 38.1 | 44.7 | 34.6 | 37.8
LLaMA-VID        | 71.4 | 45.5 | 41.3 | 39.8 | 35.8 | 44.8 | 57.4 | 56.9 | 27.4 | 46.5
TimeChat         | 61.8 | 52.1 | 41.1 | 46.9 | 38.8 | 48.4 | 53.1 | 49.5 | 29.8 | 47.1
GPT-4o           | 91.8 | 67.3 | 56.4 | 67.1 | 63.1 | 70   | 78.2 | 75.9 | 37.6 | 68
Claude3.5 Sonnet | 92.7 | 73.5 | 68.2 | 75.2 | 73.5 | 75.4 | 84.9 | 82.1 | 42.5 | 75.2
`,
)
