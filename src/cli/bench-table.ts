import type { ArgumentSpec, CommandSpec, OptionSpec } from './table-types.ts'

// As in eval/benchmarks/index.ts; they stand here too so that the help starts without loading it. A test holds both together.
export const benchmarkNames = [
  'longshot',
  'cg-bench',
  'allvb',
  'infinibench',
  'videoeval-pro',
  'video-mme',
  'lvbench',
  'mlvu',
  'longvideobench',
  'needle',
] as const

const benchmark: ArgumentSpec = { name: 'name', about: 'the benchmark', kind: 'one', values: benchmarkNames }
const data: OptionSpec = {
  flag: '--data',
  value: 'path',
  about: 'the folder with the annotations, or the annotation file itself',
  values: 'files',
}
export const benchCommand: CommandSpec = {
  name: 'bench',
  summary: 'Run the agent over benchmarks, score, report and compare',
  commands: [
    {
      name: 'list',
      summary: 'List the benchmarks',
      examples: ['longtake bench list'],
      load: () => import('./commands/bench-list.ts'),
    },
    {
      name: 'show',
      summary: 'Say what a benchmark asks, what to download and where it goes',
      arguments: [benchmark],
      examples: ['longtake bench show cg-bench'],
      load: () => import('./commands/bench-show.ts'),
    },
    {
      name: 'score',
      summary: 'Score a file of replies, as the released scorer does or strictly',
      arguments: [benchmark],
      options: [
        data,
        { flag: '--replies', value: 'file', about: 'JSON lines {id, replies, judge}', values: 'files' },
        {
          flag: '--scoring',
          value: 'name',
          about: 'strict if left out; without --json both are shown',
          values: ['official', 'strict'],
        },
      ],
      examples: [
        'longtake bench score cg-bench --data cgbench_mini.json --replies replies.jsonl --scoring official --json',
        'longtake bench score longshot --replies model_eval.jsonl',
      ],
      load: () => import('./commands/bench-score.ts'),
    },
  ],
}
