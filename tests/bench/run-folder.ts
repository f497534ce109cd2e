import type { Sample } from '../../eval/data/sample.ts'
import { type BenchRun, newRunFiles, openRunFiles, type RunFiles } from '../../eval/runner/files/run-files.ts'

const run: Omit<BenchRun, 'format' | 'started'> = {
  kind: 'bench',
  name: 'bench videoeval-pro',
  version: '1',
  node: process.version,
  platform: 'test',
  profile: { name: 'embedded', why: 'it was asked for' },
  benchmark: 'videoeval-pro',
  data: '/nowhere',
  tasks: ['open', 'mcq'],
  by: 'longtake',
  options: {},
  judge: 'model',
  models: {},
  samples: 0,
  dataHash: '',
  settingsHash: '',
  flags: { set: [] },
}

export function newFolder(out: string, benchmark = 'videoeval-pro'): Promise<RunFiles> {
  return newRunFiles({ home: out, out, run: { ...run, benchmark }, config: {}, redact: value => value })
}

export function openAgain(folder: string): Promise<RunFiles> {
  return openRunFiles(folder, value => value)
}

// Questions of VideoEval-Pro, some to each video, the right option always the first.
export function someSamples(count: number, videos = 2): Sample[] {
  return Array.from({ length: count }, (_, i) => ({
    id: String(i),
    video: `video-${i % videos}.mp4`,
    question: { text: `question ${i}`, options: ['right', 'wrong'] },
    reference: `question ${i}`,
    choice: 0,
    clues: [{ start: 5, end: 15 }],
    groups: { qa_type: i % 2 === 0 ? 'Local Perception' : 'Holistic Reasoning' },
    record: { question: `question ${i}`, options: ['A. right', 'B. wrong'], answer: 'A', qa_type: 'Local Perception' },
  }))
}
