import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { leavesOf } from '../../../src/config/tree.ts'
import { isObject, prettyJson, sha256 } from '../../../src/core/json.ts'
import { filesBelow } from '../../../src/store/files-below.ts'
import { fileChecksum } from '../../../src/store/models/model-pins.ts'
import type { Recipe, ReleasedFile } from '../../benchmarks/benchmark.ts'
import { loadBenchmark } from '../../benchmarks/index.ts'
import { bundledName } from '../../benchmarks/made-here.ts'
import { readJsonFile } from '../../data/read-json-file.ts'
import { formatScore, markdown, type ReportTable } from '../../data/report-table.ts'
import type { JudgeCheck } from '../../judges/calibration/calibrate.ts'
import { checkOfRun } from '../../judges/calibration/judge-check.ts'
import { usual } from '../../metrics/statistics/bootstrap.ts'
import type { BenchRun } from '../../runner/files/run-files.ts'
import { publicSettings } from '../../runner/files/run-folder.ts'
import { fileSettings } from '../../runner/options.ts'
import { openRunData } from '../reports.ts'
import type { RunReport } from '../run-report.ts'
import { runTitle, taskTitle } from '../titles.ts'

const cardFile = 'card.json'
const mapFile = 'map.json'

// What another needs to repeat a run and to know what its numbers say: the same as JSON and as a page; beside it the map by which
// the data were read.
export async function runCard(report: RunReport): Promise<ReleasedFile[]> {
  const { folder, run } = report
  const card = buildCard(report, {
    config: await readJsonFile(join(folder, 'config.json')),
    check: await checkOfRun(folder),
    files: await hashFiles((await openRunData(run))?.files ?? []),
    videos: await readCopies(folder),
    sent: await hashCalls(folder),
    make: (await loadBenchmark(run.benchmark)).making?.make,
  })
  const page = markdown(`Run card: ${card.benchmark}${card.split ? `, ${card.split}` : ''}`, buildTables(report, card))
  return [
    { path: cardFile, content: prettyJson(card) },
    { path: 'card.md', content: page },
    ...(report.run.map ? [{ path: mapFile, content: prettyJson(report.run.map) }] : []),
  ]
}

type Card = ReturnType<typeof buildCard>

interface CardParts {
  config: unknown
  check: JudgeCheck | undefined
  files: { name: string; bytes: number; sha256: string }[]
  videos: Record<string, string>
  sent: { requests: number; sha256: string }
  make: Recipe | undefined
}

function buildCard(report: RunReport, { config, check, files, videos, sent, make }: CardParts) {
  const { run, counts, scores, available, edition, mode, tasks } = report
  const { map, fetched, made, judgedBy, judgeMode, wording, prompt, about } = run
  return {
    format: 2,
    reproduce: formatReproduction(run, make),
    run: runTitle(report),
    benchmark: run.benchmark,
    split: run.split ?? null,
    data: {
      questions: run.samples,
      questionsHash: run.dataHash,
      files,
      videos,
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
    tasks: run.tasks,
    limit: run.limit ?? null,
    options: withoutFolders(run.options),
    settings: publicSettings(config),
    ...(mode && { mode: mode.name }),
    departures: report.departures,
    settingsHash: run.settingsHash,
    ...(run.change !== undefined && { change: run.change }),
    models: Object.fromEntries(
      Object.entries(run.models).map(([role, model]) => [role, { model, digest: findDigest(role, run, check) }]),
    ),
    judging: { choice: run.judge, mode: judgeMode ?? null },
    judge:
      judgedBy === undefined
        ? null
        : { by: judgedBy, wording: describeWording(wording), check: check ?? 'not checked' },
    ...(prompt && { prompt: { file: basename(prompt.file), sha256: prompt.sha256 } }),
    ...(about !== undefined && { about }),
    sent,
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
  const digest = Object.hasOwn(digests, role) ? digests[role] : undefined
  return digest ?? (role === 'judge' ? check?.digest : undefined) ?? null
}

async function hashFiles(paths: readonly string[]): Promise<CardParts['files']> {
  const { signal } = new AbortController()
  return Promise.all(paths.map(async path => ({ name: basename(path), ...(await fileChecksum(path, signal)) })))
}

// Content ids of the videos as the run found them when it began.
async function readCopies(folder: string): Promise<CardParts['videos']> {
  const checked = Checked.safeParse(await readJsonFile(join(folder, 'preflight.json')))
  const entries = checked.data?.videos.flatMap(({ video, content }) =>
    content === undefined ? [] : [[video, content]],
  )
  return Object.fromEntries(entries ?? [])
}

const Checked = z.object({ videos: z.array(z.object({ video: z.string(), content: z.string().optional() })) })

// All that models were sent, prompts and pictures, in one hash: of each recorded call the key, which holds what the model sees.
export async function hashCalls(folder: string): Promise<CardParts['sent']> {
  const keys: string[] = []
  for (const file of await filesBelow(join(folder, 'calls'), 1)) {
    const { kind, key } = SentCall.safeParse(await readJsonFile(file)).data ?? {}
    if (kind === 'chat' && key !== undefined) keys.push(`${basename(dirname(file))} ${key}`)
  }
  return { requests: keys.length, sha256: sha256(keys.sort().join('\n')) }
}

const SentCall = z.object({ kind: z.string(), key: z.string().optional() })

// The settings of a benchmark that name a file, with only its name.
function withoutFolders(options: BenchRun['options']): BenchRun['options'] {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name,
      fileSettings.includes(name) && typeof value === 'string' ? basename(value) : value,
    ]),
  )
}

function describeWording(wording: BenchRun['wording']) {
  return wording ? { file: basename(wording.file), sha256: wording.sha256, released: wording.released } : 'ours'
}

function seedsIn(config: unknown): Record<string, unknown> {
  const leaves = isObject(config) ? [...leavesOf(config)] : []
  return Object.fromEntries(
    leaves.flatMap(({ path, value }) => (path.at(-1) === 'seed' ? [[path.join('.'), value]] : [])),
  )
}

// As it is typed where the data lie beside: folders of this machine are nobody's business.
function formatCommand(run: BenchRun): string {
  const { benchmark, split, map, limit, tasks, by, options, judge, judgeMode } = run
  const { variant, ...own } = options
  return formatLine(
    ['run', benchmark],
    [
      ['--data', basename(run.data)],
      ['--split', split],
      ['--map', map && mapFile],
      ['--limit', limit?.toString()],
      ...tasks.map((task): Flag => ['--task', task]),
      ['--by', by === 'longtake' ? undefined : by],
      ['--variant', typeof variant === 'string' ? variant : undefined],
      ...optionFlags(own),
      ['--judge', judge],
      ['--judge-mode', judgeMode],
      ...machineFlags(run),
    ],
  )
}

// Of what a card does not say itself: where the data lie, and what another must choose.
function formatReproduction(run: BenchRun, make: Recipe | undefined): string {
  const { benchmark, options } = run
  const data = basename(run.data)
  const isMadeHere = make !== undefined && data === bundledName(benchmark, make)
  const ofFiles = Object.entries(options).filter(([name]) => fileSettings.includes(name))
  return formatLine(
    ['reproduce', cardFile],
    [['--data', isMadeHere ? undefined : data], ...optionFlags(Object.fromEntries(ofFiles)), ...machineFlags(run)],
  )
}

type Flag = [flag: string, value: string | undefined]

function optionFlags(options: BenchRun['options']): Flag[] {
  return Object.entries(withoutFolders(options)).map(([name, value]) => ['--option', `${name}=${formatText(value)}`])
}

function machineFlags({ videos, wording, profile, flags }: BenchRun): Flag[] {
  return [
    ['--videos', videos && basename(videos)],
    ['--wording', wording && basename(wording.file)],
    ['--profile', profile.name],
    ['--config', flags.config && basename(flags.config)],
    ...flags.set.map((setting): Flag => ['--set', setting]),
  ]
}

function formatLine(command: readonly string[], flags: readonly Flag[]): string {
  const words = flags.flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]))
  return ['longtake', 'bench', ...command, ...words].map(quoted).join(' ')
}

function formatText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

function buildTables(report: RunReport, card: Card): ReportTable[] {
  const { data, judge, coverage, scores } = card
  const description =
    judge === null
      ? 'none'
      : `${judge.by}, wording ${typeof judge.wording === 'string' ? judge.wording : judge.wording.sha256}; ${report.judgeCheck}`
  const rows: [string, string][] = [
    ['run', `${card.run}, begun ${card.started}, ${card.finished ? `ended ${card.finished}` : 'not over'}`],
    ['repeat it', card.reproduce],
    ['command', card.command],
    [
      'data',
      `${data.questions} questions, sha256 ${data.questionsHash}; ${Object.keys(data.videos).length} videos by content id`,
    ],
    ['sent', `${card.sent.requests} requests with their pictures, sha256 ${card.sent.sha256}`],
    [
      'fetched',
      data.dataset === undefined
        ? 'not by longtake'
        : `${data.dataset} at ${data.revision}${data.changed?.length ? `; changed since: ${data.changed.join(', ')}` : ''}`,
    ],
    ['software', `longtake ${card.longtake}, Node ${card.node}, ${card.platform}, profile ${card.profile}`],
    ['asked', card.asked === 'alone' ? 'only a model' : card.asked],
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
        formatScore(row.mean),
        `${formatScore(row.low)} to ${formatScore(row.high)}`,
        formatScore(row.chance),
      ]),
      notes: ['Per cent. What was not judged or not asked counts as wrong.'],
    },
    {
      title: "The benchmark's own metrics",
      columns: ['metric', 'strict', 'official'],
      rows: names.map(name => [
        scores.judgedByWords.includes(name) ? `${name} (words)` : name,
        formatScore(scores.metrics?.strict[name]),
        formatScore(scores.metrics?.official[name]),
      ]),
      notes: scores.metrics ? [] : ['The data were not there to score by.'],
    },
  ]
}
