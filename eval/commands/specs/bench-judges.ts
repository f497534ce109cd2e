import { type ArgumentSpec, commandsIn, option } from '../../../src/cli/command.ts'
import {
  dataOption,
  fileValues,
  judgeModeOption,
  repeatable,
  videosOption,
  wordingOption,
} from '../../../src/cli/options.ts'

const runs: ArgumentSpec = {
  name: 'run',
  about: 'a run: its folder, its name, or the beginning of it',
  kind: 'any',
  values: 'files',
}
const judges = option('--judge name', 'words, model (models.judge), or BACKEND/MODEL; can be repeated', repeatable)
const mode = { ...judgeModeOption, about: `${judgeModeOption.about}; can be repeated`, ...repeatable }

const where = [
  { ...dataOption, about: 'where the data of the runs lie, if not where they were read' },
  { ...videosOption, about: 'where their videos lie: a judge that looks needs them' },
]

// Whether a judge can be believed.
export const judgeCommands = commandsIn(() => import('../judges.ts').then(it => it.benchJudgesCommands), {
  agree: {
    summary: 'Say how far judges and people agree over the answers of runs, or write a blind sheet for people',
    details:
      'The runs stay as they are; the verdicts of other judges are kept below them, and nothing is asked twice. What judges come to beside people is kept in agreement.json of each run: "bench report" puts it into the tables of VideoEval-Pro and CG-Bench that are of judges.',
    arguments: [runs],
    options: [
      option(
        '--human file',
        'verdicts of people: JSON lines or CSV {id, verdict, rater, reply, step, note}; can be repeated',
        {
          ...fileValues,
          many: true,
        },
      ),
      judges,
      mode,
      wordingOption,
      ...where,
      option('--limit n', 'other judges only grade so many answers, spread over the run'),
      option('--sample n', 'so many answers for the sheet, evenly from each model and type; needs --write'),
      option('--seed n', 'of the sample; default 1'),
      option('--write file', 'the sheet, .html or .csv: no model, no judge, the same sample for the same seed', {
        ...fileValues,
        needs: 'sample',
      }),
    ],
    examples: [
      'longtake bench agree 20261121-1203 --judge words',
      'longtake bench agree run-a run-b --sample 100 --write sheet.html',
      'longtake bench agree 20261121-1203 --human anna.jsonl --human ben.csv',
    ],
  },
  judges: {
    summary: 'Grade the same runs by several judges, or check judges on 230 shipped answers whose truth is known',
    details:
      'Shows the cost before anything is asked: --dry-run stops there. Exit code 6: a judge left answers without a verdict.',
    arguments: [runs],
    options: [
      judges,
      mode,
      wordingOption,
      ...where,
      option('--repeat n', 'ask each judge so often, each time anew: how far it agrees with itself'),
      option(
        '--calibrate',
        'check the judges on the shipped answers, under the protocol of the runs or of all benchmarks',
      ),
      option('--dry-run', 'show what it would take, and stop'),
    ],
    examples: [
      'longtake bench judges run-a run-b --judge model --judge words',
      'longtake bench judges run-a --judge model --repeat 5',
      'longtake bench judges run-a --judge model --judge-mode text --judge-mode vision --videos videos/',
      'longtake bench judges --calibrate --judge words',
    ],
  },
})
