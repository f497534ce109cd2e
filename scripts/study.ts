import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { markdown } from '../eval/data/report-table.ts'
import { aimTable } from '../eval/report/aim-table.ts'
import { askedTable } from '../eval/report/asked-table.ts'
import { loadReport } from '../eval/report/reports.ts'
import type { RunReport } from '../eval/report/run-report.ts'
import { sideBySide } from '../eval/report/tables.ts'
import { runTitle } from '../eval/report/titles.ts'
import { writtenReport } from '../eval/report/written.ts'
import { groupBy } from '../src/core/basics/group-by.ts'
import { UsageError } from '../src/core/errors.ts'
import { exists } from '../src/store/read-file.ts'
import { runScript } from './script.ts'

// What a memory of a video is worth to a model: each planner alone (frames of the protocol), with our tools in the simplest loop (host),
// and in our agent (longtake), over the same questions. Made again, it goes on where it stopped.
//   npx tsx scripts/study.ts STUDY --data NAME=FOLDER ... --model MODEL ... [--by alone,host,longtake] [--dry-run] [-- FLAGS OF "bench run"]
// A model that ends with .json is a settings file: any backend, with any limits. What a model cannot do (see pictures, call tools) is named and passed over.
// With --table only the page and the tables of what is there are made.
await runScript(async signal => {
  const study = readStudy(process.argv.slice(2))
  const runs = plannedRuns(study)
  for (const run of study.onlyTable ? [] : runs) {
    signal.throwIfAborted()
    await carryOut(run, study)
  }
  if (!study.dryRun) await writeTables(study.folder, runs)
})

interface Study {
  folder: string
  data: [benchmark: string, folder: string][]
  models: string[]
  by: string[]
  more: string[]
  dryRun: boolean
  onlyTable: boolean
}

interface StudyRun {
  benchmark: string
  data: string
  model: string
  by: string
  folder: string
}

function readStudy(args: readonly string[]): Study {
  const end = args.includes('--') ? args.indexOf('--') : args.length
  const { values, positionals } = parseArgs({
    args: args.slice(0, end),
    allowPositionals: true,
    options: {
      data: { type: 'string', multiple: true, default: [] },
      model: { type: 'string', multiple: true, default: [] },
      by: { type: 'string', default: 'alone,host,longtake' },
      'dry-run': { type: 'boolean', default: false },
      table: { type: 'boolean', default: false },
    },
  })
  const [folder] = positionals
  if (folder === undefined || values.data.length === 0 || values.model.length === 0)
    throw new UsageError('A study needs a folder, --data NAME=FOLDER and --model MODEL.', {
      hint: 'npx tsx scripts/study.ts study --data needle=needle-7 --model openai/NAME --dry-run',
    })
  return {
    folder: resolve(folder),
    data: values.data.map(given => {
      const [benchmark = '', ...path] = given.split('=')
      return [benchmark, resolve(path.join('='))]
    }),
    models: values.model,
    by: values.by.split(','),
    more: args.slice(end + 1),
    dryRun: values['dry-run'],
    onlyTable: values.table,
  }
}

// By set, then planner: the index of a set is made once, by the first that needs it.
function plannedRuns({ folder, data, models, by }: Study): StudyRun[] {
  return data.flatMap(([benchmark, path]) =>
    models.flatMap(model =>
      by.map(who => {
        const name = `${basename(model, '.json')}-${who}`.replace(/[^A-Za-z0-9.-]+/g, '_')
        return { benchmark, data: path, model, by: who, folder: join(folder, `${benchmark}-${basename(path)}`, name) }
      }),
    ),
  )
}

// Questions that could not be asked or judged (exit code 6) are in the tables as such.
async function carryOut(run: StudyRun, { more, dryRun }: Study): Promise<void> {
  if (await exists(join(run.folder, 'summary.json'))) return
  const isBegun = await exists(join(run.folder, 'environment.json'))
  console.error(`\n${run.benchmark} ${basename(run.data)}: ${run.model}, ${run.by}${isBegun ? ', resumed' : ''}`)
  const place = dryRun ? ['--dry-run'] : isBegun ? ['--resume', run.folder] : ['--out', run.folder]
  const command = join(import.meta.dirname, '..', 'bin', 'longtake.mjs')
  const model = run.model.endsWith('.json') ? ['--config', resolve(run.model)] : ['--model', run.model]
  const asked = ['bench', 'run', run.benchmark, '--data', run.data, '--by', run.by]
  const words = [...asked, ...model, ...place, ...more]
  const { status } = spawnSync(process.execPath, [command, ...words], {
    stdio: ['ignore', dryRun ? 'inherit' : 'ignore', 'inherit'],
  })
  if (status === 2) console.error(`Left out: ${run.model}, ${run.by}, as it was refused.`)
  else if (status !== 0 && status !== 6)
    throw new UsageError(`The study stopped at ${run.folder}.`, { hint: 'The same command goes on with it.' })
}

// A page over all runs, and the tables of each set: who answers how well and for how much, and where the evidence landed.
async function writeTables(folder: string, runs: readonly StudyRun[]): Promise<void> {
  const reports: RunReport[] = []
  for (const run of runs)
    if (await exists(join(run.folder, 'samples.jsonl'))) reports.push(await loadReport(run.folder))
  const sets = groupBy(reports, ({ run }) => run.data)
  const tables = [...sets.values()].flatMap(of => [
    { ...sideBySide(of), title: `${of[0]?.run.benchmark}, ${basename(of[0]?.run.data ?? '')}` },
    ...askedTable(of),
    aimTable(of.map(report => ({ name: runTitle(report), aim: report.aim }))),
  ])
  const text = markdown(
    'Alone, with our tools, in our agent',
    tables.filter(({ rows }) => rows.length > 0),
  )
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'table.md'), text)
  writeFileSync(join(folder, 'report.html'), await writtenReport('html', reports))
  writeFileSync(join(folder, 'table.tex'), await writtenReport('tex', reports))
  console.log(text)
}
