import { benchmarkNames } from '../../../eval/benchmarks/index.ts'
import type { CommandSpec, OptionSpec } from './types.ts'

const many = true
const changes: OptionSpec[] = [
  {
    flag: '--without',
    value: 'name',
    about:
      'a tool, track or policy that is switched off, each in its own row; a+b: both in one; policies: each of them',
    many,
  },
  { flag: '--swap', value: 'role=a,b', about: 'other backends for a role, as readText=tesseract,paddle', many },
  { flag: '--set', value: 'name=v1,v2', about: 'other values of a setting, each in its own row', many },
  { flag: '--graph', value: 'names', about: 'other graphs than that of the base', many },
  {
    flag: '--oracle',
    value: 'names',
    about: 'gold from the annotations put in: span, transcript, ocr, retrieval',
    many,
  },
  {
    flag: '--fault',
    value: 'fault',
    about: 'something broken on purpose: asr:wer=0.2, ocr:cer=0.1, frames:drop=0.3, tool:NAME=down',
    many,
  },
]

export const ablateCommand: CommandSpec = {
  name: 'ablate',
  summary: 'Measure what each part is worth: one benchmark under many changes, each beside the base',
  details:
    'Only what a change touches is made again, and no model is asked twice for the same. Ends with tables, a page, and tests that correct for the number of rows. A study that was stopped goes on with --resume.',
  arguments: [
    {
      name: 'name',
      about: 'the benchmark; left out with --resume or --schema, or where the file says it',
      kind: 'optional',
      values: benchmarkNames,
    },
  ],
  options: [
    { flag: '--data', value: 'path', about: 'the folder with the annotations, or the file itself', values: 'files' },
    { flag: '--videos', value: 'folder', about: 'where the videos lie, if not beside the data', values: 'files' },
    { flag: '--split', value: 'name', about: 'one split of the data' },
    { flag: '--limit', value: 'n', about: 'only the first n questions' },
    { flag: '--task', value: 'name', about: 'only this part of the protocol', many },
    { flag: '--base', value: 'profile', about: 'the profile that every row starts from' },
    { flag: '--base-set', value: 'name=value', about: 'a setting of every row, the base too', many },
    ...changes,
    { flag: '--matrix', value: 'file', about: 'the changes as a file, ablation.json; see --schema', values: 'files' },
    { flag: '--schema', about: 'print the JSON schema of that file, and stop' },
    { flag: '--one-at-a-time', about: 'each change in a row of its own; so if left out', excludes: ['full'] },
    { flag: '--full', about: 'every combination of the changes' },
    {
      flag: '--from-step',
      value: 'k',
      about: 'replay each question as the base went, for k rounds of tool calls, then go on with the change',
    },
    { flag: '--seed', value: 'n', about: 'where the chance of faults and statistics starts; 1 if left out' },
    { flag: '--dry-run', about: 'say what each row would take, and stop' },
    { flag: '--concurrency', value: 'n', about: 'questions at the same time; 1 if left out' },
    {
      flag: '--out',
      value: 'folder',
      about: 'the folder of the study, instead of one among the runs',
      values: 'files',
    },
    { flag: '--resume', value: 'study', about: 'go on with a study, by its folder or name', excludes: ['out'] },
    {
      flag: '--judge',
      value: 'name',
      about: 'who judges open answers; auto is model where models.judge is set, else words',
      values: ['auto', 'model', 'words', 'off'],
    },
    { flag: '--wording', value: 'file', about: "a file with the judge's prompt", values: 'files' },
    { flag: '--option', value: 'name=value', about: 'a setting of the benchmark (see bench show)', many },
  ],
  examples: [
    'longtake ablate needle --data needle/ --base embedded --without text,speech,sound --dry-run',
    'longtake ablate needle --data needle/ --base embedded --set index.vectors=exact --fault asr:wer=0.1,0.2,0.4',
    'longtake ablate needle --data needle/ --matrix ablation.json --out study',
  ],
  load: () => import('../commands/ablate.ts').then(it => it.default),
}

const run = 'a run or a row of a study: its folder, its name, or the beginning of its name'

export const compareCommand: CommandSpec = {
  name: 'compare',
  summary: 'Compare two runs as a study does: differences, tests, and the questions that flipped, side by side',
  arguments: [
    { name: 'run-a', about: run, kind: 'one', values: 'files' },
    { name: 'run-b', about: run, kind: 'one', values: 'files' },
  ],
  options: [
    { flag: '--html', value: 'file', about: 'write one page that opens offline', values: 'files' },
    { flag: '--md', value: 'file', about: 'write the tables as Markdown', values: 'files' },
    { flag: '--tex', value: 'file', about: 'write the table as LaTeX', values: 'files' },
    { flag: '--csv', value: 'file', about: 'write the rows as a table', values: 'files' },
    { flag: '--seed', value: 'n', about: 'where the chance of the statistics starts; 1 if left out' },
  ],
  examples: ['longtake compare 20261121-1203 20261122-0915', 'longtake compare run-a run-b --html compare.html'],
  load: () => import('../commands/compare.ts').then(it => it.default),
}
