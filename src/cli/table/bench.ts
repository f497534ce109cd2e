import { benchmarkNames } from '../../../eval/benchmarks/index.ts'
import { toolOption } from './tools.ts'
import type { ArgumentSpec, CommandSpec, OptionSpec } from './types.ts'

// As in graphs/index.ts; they stand here too so that the help starts without loading it.
export const graphChoices = ['investigate', 'single-pass', 'search-then-answer', 'longshot-v2'] as const

const benchmark: ArgumentSpec = { name: 'name', about: 'the benchmark', kind: 'one', values: benchmarkNames }
const data: OptionSpec = {
  flag: '--data',
  value: 'path',
  about: 'the folder with the annotations, or the annotation file itself',
  values: 'files',
}
const judge: OptionSpec = {
  flag: '--judge',
  value: 'name',
  about: 'who judges open answers; auto is model where models.judge is set, else words',
  values: ['auto', 'model', 'words', 'off'],
}
const wording: OptionSpec = {
  flag: '--wording',
  value: 'file',
  about: "a file with the judge's prompt, in place of our words",
  values: 'files',
}
const run = 'a run by its folder, its name, or the beginning of its name'

export const benchCommand: CommandSpec = {
  name: 'bench',
  summary: 'Run the agent over benchmarks, score, report and compare',
  commands: [
    {
      name: 'list',
      summary: 'List the benchmarks',
      examples: ['longtake bench list'],
      load: () => import('../commands/bench-list.ts').then(it => it.default),
    },
    {
      name: 'show',
      summary: 'Say what a benchmark asks, what to download and where it goes',
      arguments: [benchmark],
      examples: ['longtake bench show cg-bench'],
      load: () => import('../commands/bench-show.ts').then(it => it.default),
    },
    {
      name: 'make',
      summary:
        'Make a benchmark on the spot: render videos and questions from a seed; the same seed gives the same files',
      details: 'Only needle is made; the data of the others are fetched.',
      arguments: [benchmark],
      options: [
        { flag: '--seed', value: 'n', about: 'where chance starts; 1 if left out' },
        { flag: '--minutes', value: 'n', about: 'length of each video, 2 to 180; 5 if left out' },
        { flag: '--videos', value: 'n', about: 'how many; 3 if left out' },
        { flag: '--out', value: 'folder', about: 'where the files go', values: 'files' },
      ],
      examples: ['longtake bench make needle --seed 7 --minutes 5 --videos 3 --out needle-7'],
      load: () => import('../commands/bench-make.ts').then(it => it.default),
    },
    {
      name: 'run',
      summary: 'Ask the agent every question of a benchmark, judge, score and report',
      details:
        'Looks at every video before anything is spent. A run that was stopped goes on with --resume. Without --data, needle uses its bundled split. Exit code 6: some questions could not be asked or judged.',
      arguments: [benchmark],
      options: [
        data,
        { flag: '--videos', value: 'folder', about: 'where the videos lie, if not beside the data', values: 'files' },
        { flag: '--split', value: 'name', about: 'one split of the data' },
        { flag: '--limit', value: 'n', about: 'only the first n questions' },
        {
          flag: '--task',
          value: 'name',
          about: 'only this part of the protocol; may be given several times',
          many: true,
        },
        {
          flag: '--by',
          value: 'who',
          about: 'the agent, or models.vision alone with the frames of the protocol; agent if left out',
          values: ['agent', 'model'],
        },
        { flag: '--graph', value: 'name', about: 'how the agent works, to compare with', values: graphChoices },
        toolOption,
        {
          flag: '--out',
          value: 'folder',
          about: 'the folder of the run, instead of one among the runs',
          values: 'files',
        },
        { flag: '--resume', value: 'run', about: `go on with ${run}`, excludes: ['out'] },
        {
          flag: '--replay',
          value: 'run',
          about: 'a new run on what the models said in that one; asks nothing and needs no network',
          excludes: ['resume'],
        },
        { flag: '--record', about: 'say where every call of a model is written down; it always is' },
        { flag: '--dry-run', about: 'check the data, say what it would take, and stop' },
        { flag: '--concurrency', value: 'n', about: 'questions at the same time; 1 if left out' },
        judge,
        wording,
        {
          flag: '--option',
          value: 'name=value',
          about: 'a setting of the benchmark (see bench show); may be given several times',
          many: true,
        },
      ],
      examples: [
        'longtake bench run needle --profile embedded',
        'longtake bench run cg-bench --data cg-bench/ --split mini --dry-run',
        'longtake bench run cg-bench --data cg-bench/ --resume 20261121-1203',
      ],
      load: () => import('../commands/bench-run.ts').then(it => it.default),
    },
    {
      name: 'score',
      summary: 'Score a file of replies, as the released scorer does or strictly',
      arguments: [benchmark],
      options: [
        data,
        {
          flag: '--replies',
          value: 'path',
          about: 'JSON lines {id, replies, judge}, or what the released tools left (longshot, cg-bench, infinibench)',
          values: 'files',
        },
        {
          flag: '--scoring',
          value: 'name',
          about: 'strict if left out; without --json both are shown',
          values: ['official', 'strict'],
        },
        { ...judge, about: 'judge the open answers anew: by models.judge, or by words', values: ['model', 'words'] },
        wording,
        { flag: '--out', value: 'file', about: 'keep the replies with the new verdicts', values: 'files' },
      ],
      examples: [
        'longtake bench score cg-bench --data cgbench_mini.json --replies replies.jsonl --scoring official --json',
        'longtake bench score longshot --replies model_eval.jsonl',
      ],
      load: () => import('../commands/bench-score.ts').then(it => it.default),
    },
    {
      name: 'report',
      summary: 'Report one or several runs: tables here, or one page with charts and every sample',
      arguments: [{ name: 'run', about: run, kind: 'many', values: 'files' }],
      options: [
        { flag: '--html', value: 'file', about: 'write one page that opens offline', values: 'files' },
        { flag: '--csv', value: 'file', about: 'write one line per sample', values: 'files' },
        { flag: '--md', value: 'file', about: 'write the tables as Markdown', values: 'files' },
      ],
      examples: ['longtake bench report 20261121-1203', 'longtake bench report needle-run --html report.html'],
      load: () => import('../commands/bench-report.ts').then(it => it.default),
    },
    {
      name: 'compare',
      summary: 'Compare two runs question by question: which is better, and is it more than chance',
      arguments: [
        { name: 'run-a', about: run, kind: 'one', values: 'files' },
        { name: 'run-b', about: run, kind: 'one', values: 'files' },
      ],
      examples: ['longtake bench compare 20261121-1203 20261122-0915'],
      load: () => import('../commands/bench-compare.ts').then(it => it.default),
    },
    {
      name: 'export',
      summary: 'Write a run as the released tools of its benchmark keep theirs (longshot, cg-bench, infinibench)',
      details: 'What is written can be read by those tools, and by "longtake bench score --replies".',
      arguments: [{ name: 'run', about: run, kind: 'one', values: 'files' }],
      options: [
        { flag: '--out', value: 'folder', about: 'where the files go', values: 'files' },
        { flag: '--name', value: 'model', about: 'how the files name what was run' },
      ],
      examples: ['longtake bench export 20261121-1203 --out results --name my-agent'],
      load: () => import('../commands/bench-export.ts').then(it => it.default),
    },
    {
      name: 'agree',
      summary: "Have a second judge grade a run's answers and say how far the two agree",
      arguments: [{ name: 'run', about: run, kind: 'one', values: 'files' }],
      options: [
        { ...judge, about: 'the second judge: model (models.judge) or words', values: ['model', 'words'] },
        wording,
        { flag: '--limit', value: 'n', about: 'only so many answers, spread over the run' },
      ],
      examples: ['longtake bench agree 20261121-1203 --judge words'],
      load: () => import('../commands/bench-agree.ts').then(it => it.default),
    },
  ],
}
