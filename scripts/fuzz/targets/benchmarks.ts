import { writeFileSync } from 'node:fs'
import { benchmarkNames, loadBenchmark } from '../../../eval/benchmarks/index.ts'
import { Span } from '../../../src/core/time.ts'
import { mutateJson } from '../mutate/json.ts'
import { scratch } from '../scratch.ts'
import { promise, type Target } from '../target.ts'

// The first line of an input says which benchmark and which kind of file; the rest is the file.
const benchmarks: Target = {
  name: 'benchmarks',
  summary: 'annotation files of the benchmarks',
  guided: /eval\/(benchmarks|data|python)\//,
  seeds: async () => Object.entries(records).flatMap(([name, record]) => inputs(name, record)),
  mutate(input, draw, other) {
    const [head, body] = parts(input)
    const [otherHead, otherBody] = parts(other)
    const changed = mutateJson(body, draw, otherBody, words)
    return Buffer.concat([Buffer.from(`${draw.chance(0.1) ? otherHead : head}\n`), changed])
  },
  async run(input) {
    const [head, body] = parts(input)
    const [, name = 'allvb', end = 'json'] = /^([\w-]+)\.(json|jsonl|csv|tsv)$/.exec(head) ?? []
    if (!benchmarkNames.includes(name)) return
    // InfiniBench knows a skill by the name of its file.
    const file = scratch(name === 'infinibench' ? `global_appearance.${end}` : `records.${end}`)
    writeFileSync(file, body)
    const benchmark = await loadBenchmark(name)
    let count = 0
    const records = await benchmark.records(file)
    for (const sample of records.flatMap((record, place) => benchmark.samples(record, place))) {
      count++
      const { id, video, question, choice, clues = [], turns = [], groups } = sample
      promise(
        typeof id === 'string' && typeof video === 'string' && typeof question.text === 'string',
        'texts are texts',
      )
      const options = question.options ?? []
      promise(
        options.every(option => typeof option === 'string'),
        'options are texts',
      )
      const fits = choice === undefined || (Number.isInteger(choice) && choice >= 0 && choice < options.length)
      promise(fits, `${name}: the right option is one of the options, not ${choice} of ${options.length}`)
      promise(
        clues.every(span => Span.safeParse(span).success),
        `${name}: clues are spans: ${JSON.stringify(clues)}`,
      )
      promise(
        turns.every(turn => typeof turn.question.text === 'string'),
        'turns are texts',
      )
      promise(
        Object.values(groups).every(group => typeof group === 'string'),
        'groups are texts',
      )
    }
    promise(count <= input.length, 'samples are no more than bytes')
  },
}

export default benchmarks

function parts(input: Buffer): [string, Buffer] {
  const end = input.indexOf('\n')
  return end < 0 ? ['', input] : [input.toString('utf8', 0, end), input.subarray(end + 1)]
}

function inputs(name: string, record: object): Buffer[] {
  const columns = Object.entries(record).map(([key, value]) => [
    key,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  const table = `${columns.map(([key]) => key).join(',')}\n${columns.map(([, value]) => quoted(value)).join(',')}\n`
  const files = {
    json: JSON.stringify([record, record]),
    jsonl: `${JSON.stringify(record)}\n${JSON.stringify(record)}\n`,
    csv: table,
  }
  return Object.entries(files).map(([end, body]) => Buffer.from(`${name}.${end}\n${body}`))
}

const choice = {
  question: 'What is shown?',
  options: ['A. a crane', 'B. a boat', 'C. a dog', 'D. a tree'],
  answer: 'B',
}
const records: Record<string, object> = {
  longshot: {
    ...{ sample_id: 's1', video_id: 'v1', task: 'summarization', duration: 100, sample_type: 'single_turn' },
    conversations: [
      { role: 'user', content: 'What happens?' },
      {
        role: 'assistant',
        content: 'A talk.',
        criteria: [{ name: 'x', category: 'penalty', weight: -5, is_penalty: true }],
      },
    ],
  },
  'cg-bench': {
    ...{
      qid: 1,
      video_uid: 'v1',
      question: 'When?',
      answer: 'a boat',
      choices: ['a crane', 'a boat'],
      right_answer: 'B',
    },
    ...{ clue_intervals: [[1, 2.5]], domain: 'Life', sub_category: 'Event', duration: 100 },
  },
  allvb: { ...choice, video: 'm1', task: 'SR' },
  infinibench: {
    ...{ skill_name: 'global_appearance', question_id: 'q1', question: 'What?', options: "['a', 'b']", answer_idx: 1 },
    ...{ answer: 'b', video_path_mp4: '/a/b.mp4', video_subtitles: '/a/b.srt' },
  },
  'videoeval-pro': {
    ...choice,
    video: 'v.mp4',
    answer_text: 'a boat',
    source: 'x',
    qa_type: 'Local Perception',
    qa_subtype: 'y',
  },
  'video-mme': {
    ...choice,
    video_id: '001',
    videoID: 'abc',
    duration: 'short',
    domain: 'x',
    sub_category: 'y',
    question_id: '001-1',
    task_type: 'z',
  },
  lvbench: { key: 'abc', uid: 1, question: 'What?\n(A) a\n(B) b', answer: 'B', question_type: ['entity recognition'] },
  mlvu: { video: 'v.mp4', question: 'What?', candidates: ['a', 'b'], answer: 'b', question_type: 'plotQA' },
  longvideobench: {
    ...{ id: 'q1', video_path: 'v.mp4', question: 'What?', candidates: ['a', 'b'], correct_choice: 1 },
    ...{ subtitle_path: 'v.json', duration_group: 60, question_category: 'S2E' },
  },
  needle: {
    ...{ id: 'n1', video: 'n.mp4', kind: 'choice', turns: [{ question: 'Who?', answer: 'Ann' }], question: 'What?' },
    ...{ answer: 'a', expect: { form: 'abstain', rivals: [] }, criteria: [], choices: ['a', 'b'], right_answer: 'A' },
    ...{ clue_intervals: [[1, 2]], modalities: ['visual'], duration: 60 },
  },
}
const words = [
  ...new Set(Object.values(records).flatMap(Object.keys)),
  'qa',
  'questions',
  'data',
  'VC',
  'Scene Recognition',
]
