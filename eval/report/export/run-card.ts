import { basename, join } from 'node:path'
import { isTree, leavesOf } from '../../../src/config/tree.ts'
import { parseStoredJson, readTextFile } from '../../../src/store/read-file.ts'
import type { ReleasedFile } from '../../benchmarks/benchmark.ts'
import { jsonText } from '../../benchmarks/released/released-files.ts'
import type { ReportTable } from '../../data/report-table.ts'
import type { JudgeCheck } from '../../judges/calibration/calibrate.ts'
import { checkOfRun } from '../../judges/calibration/judge-check.ts'
import { usual } from '../../metrics/statistics/bootstrap.ts'
import type { BenchRun } from '../../runner/files/run-files.ts'
import { markdown } from '../markdown.ts'
import type { RunReport } from '../run-report.ts'
import { runTitle, taskTitle } from '../titles.ts'

const mapFile = 'map.json'

// What another needs to repeat a run and to know what its numbers say: the same as JSON and as a page; beside it the map by which
// the data were read.
export async function runCard(report: RunReport): Promise<ReleasedFile[]> {
  const config = parseStoredJson(await readTextFile(join(report.folder, 'config.json')))
  const card = buildCard(report, config, await checkOfRun(report.folder))
  const page = markdown(`Run card: ${card.benchmark}${card.split ? `, ${card.split}` : ''}`, buildTables(report, card))
  return [
    { path: 'card.json', content: jsonText(card) },
    { path: 'card.md', content: page },
    ...(report.run.map ? [{ path: mapFile, content: jsonText(report.run.map) }] : []),
  ]
}

type Card = ReturnType<typeof buildCard>

function buildCard(report: RunReport, config: unknown, check: JudgeCheck | undefined) {
  const { run, counts, scores, available, edition, mode, tasks } = report
  const { map, fetched, made, judgedBy, wording, prompt } = run
  return {
    format: 1,
    run: runTitle(report),
    benchmark: run.benchmark,
    split: run.split ?? null,
    data: {
      questions: run.samples,
      questionsHash: run.dataHash,
      ...(map && { map }),
      ...(edition && { records: edition.found, publishedRecords: edition.published }),
      ...(fetched && { dataset: fetched.dataset, revision: fetched.commit, changed: fetched.changed }),
      ...(made && { made }),
    },
    command: formatCommand(run),
    started: run.started,
    finished: report.finished ? (report.lines.at(-1)?.finished ?? null) : null,
    longtake: run.version,
    node: run.node,
    platform: run.platform,
    profile: run.profile.name,
    asked: run.by,
    options: run.options,
    ...(mode && { mode: mode.name }),
    departures: report.departures,
    settingsHash: run.settingsHash,
    ...(run.change !== undefined && { change: run.change }),
    models: Object.fromEntries(
      Object.entries(run.models).map(([role, model]) => [role, { model, digest: findDigest(role, run, check) }]),
    ),
    judge:
      judgedBy === undefined
        ? null
        : { by: judgedBy, wording: describeWording(wording), check: check ?? 'not checked' },
    ...(prompt && { prompt: { file: basename(prompt.file), sha256: prompt.sha256 } }),
    seeds: { intervals: usual.seed, ...seedsIn(config) },
    coverage: {
      ...counts,
      ...(available && { videos: available.videos, videosThere: available.videosThere, there: available.there }),
    },
    scores: {
      strict: tasks.map(row => ({ ...row, task: taskTitle(report, row.task) })),
      metrics: scores ? { strict: scores.strict.metrics, official: scores.official.metrics } : null,
      judgedByWords: judgedBy === 'words' ? report.judgedMetrics : [],
    },
    notes: report.notes,
  }
}

// As the run found it when it began; that of a judge also as it was calibrated. A digest is never guessed.
function findDigest(role: string, { digests = {} }: BenchRun, check: JudgeCheck | undefined): string | null {
  return digests[role] ?? (role === 'judge' ? check?.digest : undefined) ?? null
}

function describeWording(wording: BenchRun['wording']) {
  return wording ? { file: basename(wording.file), sha256: wording.sha256, released: wording.released } : 'ours'
}

function seedsIn(config: unknown): Record<string, unknown> {
  const leaves = isTree(config) ? [...leavesOf(config)] : []
  return Object.fromEntries(
    leaves.flatMap(({ path, value }) => (path.at(-1) === 'seed' ? [[path.join('.'), value]] : [])),
  )
}

// As it is typed where the data lie beside: folders of this machine are nobody's business.
export function formatCommand(run: BenchRun): string {
  const { benchmark, data, videos, split, map, limit, tasks, by, options, judge, judgeMode, wording, flags, profile } =
    run
  const { variant, ...own } = options
  const fields: [string, string | undefined][] = [
    ['--data', basename(data)],
    ['--videos', videos && basename(videos)],
    ['--split', split],
    ['--map', map && mapFile],
    ['--limit', limit?.toString()],
    ...tasks.map((task): [string, string] => ['--task', task]),
    ['--by', by === 'model' ? by : undefined],
    ['--variant', typeof variant === 'string' ? variant : undefined],
    ...Object.entries(own).map(([name, value]): [string, string] => ['--option', `${name}=${formatText(value)}`]),
    ['--judge', judge],
    ['--judge-mode', judgeMode],
    ['--wording', wording && basename(wording.file)],
    ['--profile', profile.name],
    ['--config', flags.config && basename(flags.config)],
    ...flags.set.map((setting): [string, string] => ['--set', setting]),
  ]
  const words = fields.flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]))
  return ['longtake', 'bench', 'run', benchmark, ...words].map(quoted).join(' ')
}

function formatText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

function buildTables(report: RunReport, card: Card): ReportTable[] {
  const points = (value: number | null | undefined) => (value === null || value === undefined ? '-' : value.toFixed(1))
  const { data, judge, coverage, scores } = card
  const description =
    judge === null
      ? 'none'
      : `${judge.by}, wording ${typeof judge.wording === 'string' ? judge.wording : judge.wording.sha256}; ${report.judgeCheck}`
  const rows: [string, string][] = [
    ['run', `${card.run}, begun ${card.started}, ${card.finished ? `ended ${card.finished}` : 'not over'}`],
    ['command', card.command],
    ['data', `${data.questions} questions, sha256 ${data.questionsHash}`],
    [
      'fetched',
      data.dataset === undefined
        ? 'not by longtake'
        : `${data.dataset} at ${data.revision}${data.changed?.length ? `; changed since: ${data.changed.join(', ')}` : ''}`,
    ],
    ['software', `longtake ${card.longtake}, Node ${card.node}, ${card.platform}, profile ${card.profile}`],
    ['asked', card.asked === 'model' ? 'only a model' : 'the agent'],
    ['departures from the protocol', card.departures.join('; ') || 'none among its options'],
    ['settings', `sha256 ${card.settingsHash}`],
    ['judge', description],
    [
      'seeds',
      Object.entries(card.seeds)
        .map(([name, seed]) => `${name} ${String(seed)}`)
        .join(', '),
    ],
    [
      'coverage',
      `${coverage.done} of ${coverage.samples} questions done, ${coverage.failed} failed, ${coverage.unjudged} not judged`,
    ],
  ]
  const names = Object.keys(scores.metrics?.strict ?? {})
  return [
    { title: 'What was run', columns: ['', ''], rows, notes: card.notes },
    {
      title: 'Models',
      columns: ['role', 'model', 'digest'],
      rows: Object.entries(card.models)
        .filter(([, { model }]) => model !== 'off')
        .map(([role, { model, digest }]) => [role, model, digest ?? 'not told']),
      notes: ['A digest is the commit of files from the hub, or what Ollama said when the run began.'],
    },
    {
      title: 'Scores, strictly',
      columns: ['task', 'n', 'score', '95 % interval', 'chance'],
      rows: scores.strict.map(row => [
        row.task,
        String(row.n),
        points(row.mean),
        `${points(row.low)} to ${points(row.high)}`,
        points(row.chance),
      ]),
      notes: ['Per cent. What was not judged or not asked counts as wrong.'],
    },
    {
      title: "The benchmark's own metrics",
      columns: ['metric', 'strict', 'official'],
      rows: names.map(name => [
        scores.judgedByWords.includes(name) ? `${name} (words)` : name,
        points(scores.metrics?.strict[name]),
        points(scores.metrics?.official[name]),
      ]),
      notes: scores.metrics ? [] : ['The data were not there to score by.'],
    },
  ]
}
