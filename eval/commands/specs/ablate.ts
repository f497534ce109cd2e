import { type CommandSpec, type OptionSpec, option } from '../../../src/cli/command.ts'
import { fileValues, judgeModeOption, repeatable, runOptions, sampleOptions } from '../../../src/cli/options.ts'
import { benchmarkNames } from '../../benchmarks/index.ts'

const changes: OptionSpec[] = [
  option(
    '--without name',
    'a tool, track or policy to switch off, each in its own row; a+b: both in one row; policies: each of them',
    repeatable,
  ),
  option('--swap role=a,b', 'other backends for a role, such as readText=tesseract,paddle', repeatable),
  option('--set name=v1,v2', 'other values of a setting, each in its own row', repeatable),
  option(
    '--option name=v1,v2',
    'other values of a setting of the benchmark (see bench show), each in its own row',
    repeatable,
  ),
  option('--graph names', 'other graphs than that of the base', repeatable),
  {
    ...judgeModeOption,
    about: `${judgeModeOption.about}, each in its own row; the answers are those of the base`,
    ...repeatable,
  },
  option('--oracle names', 'gold annotations put in: span, transcript, ocr, retrieval', repeatable),
  option('--fault fault', 'an injected fault: asr:wer=0.2, ocr:cer=0.1, frames:drop=0.3, tool:NAME=down', repeatable),
]

export const ablateCommand: CommandSpec = {
  name: 'ablate',
  summary: 'Measure what each part is worth: one benchmark under many changes, each compared with the base',
  details:
    'Only what a change affects is made again, and no model is asked the same thing twice. Ends with tables, an HTML page, and tests corrected for the number of rows. --resume continues a stopped study.',
  arguments: [
    {
      name: 'name',
      about: 'the benchmark; optional with --resume or --schema, or where the file names it',
      kind: 'optional',
      values: benchmarkNames,
    },
  ],
  options: [
    ...sampleOptions,
    option('--base profile', 'the profile that every row starts from'),
    option('--base-set name=value', 'a setting of every row, including the base', repeatable),
    option('--base-option name=value', 'a setting of the benchmark in every row, including the base', repeatable),
    option('--base-judge-mode name', `${judgeModeOption.about} in every row that does not say it`, {
      values: judgeModeOption.values,
    }),
    option('--by who', 'longtake (default), or alone: models.vision with the frames of the protocol', {
      values: ['longtake', 'alone', 'agent', 'model'],
    }),
    ...changes,
    option('--matrix file', 'the changes as a file, ablation.json; see --schema', fileValues),
    option('--schema', 'print the JSON schema of that file, and stop'),
    option('--one-at-a-time', 'each change in a row of its own; the default', { excludes: ['full'] }),
    option('--full', 'every combination of the changes'),
    option(
      '--from-step k',
      'replay each question as the base ran it, for k rounds of tool calls, then continue with the change',
    ),
    option('--seed n', 'random seed of faults and statistics; default 1'),
    option('--queue', 'have the questions of the rows asked by the workers of the cluster; see docs/cluster'),
    ...runOptions.filter(one => one.flag !== '--option'),
    option('--out folder', 'the folder of the study, instead of one among the runs', fileValues),
    option('--resume study', 'continue a study, given by its folder or name', { excludes: ['out'] }),
  ],
  examples: [
    'longtake bench ablate needle --data needle/ --base embedded --without text,speech,sound --dry-run',
    'longtake bench ablate needle --data needle/ --base embedded --set index.vectors=exact --fault asr:wer=0.1,0.2,0.4',
    'longtake bench ablate cg-bench --data cgbench_mini.json --by alone --option frames=0,8,32,128 --option subtitles=off,whole',
    'longtake bench ablate needle --data needle/ --matrix ablation.json --out study',
  ],
  load: () => import('../ablate.ts').then(it => it.ablate),
}

const run = 'a run or a row of a study: its folder, its name, or the beginning of its name'

export const comparedForms = [
  option('--html file', 'write one page that opens offline', fileValues),
  option('--md file', 'write the tables as Markdown', fileValues),
  option('--tex file', 'write the table as LaTeX', fileValues),
  option('--csv file', 'write the rows as CSV', fileValues),
  option('--seed n', 'random seed of the statistics; default 1'),
]

export const compareCommand: CommandSpec = {
  name: 'compare',
  summary: 'Compare two runs as a study does: differences, tests, and the questions that flipped, side by side',
  arguments: [
    { name: 'run-a', about: run, kind: 'one', values: 'files' },
    { name: 'run-b', about: run, kind: 'one', values: 'files' },
  ],
  options: comparedForms,
  examples: [
    'longtake bench compare --study 20261121-1203 20261122-0915',
    'longtake bench compare --study run-a run-b --html compare.html',
  ],
  load: () => import('../ablate.ts').then(it => it.compare),
}
