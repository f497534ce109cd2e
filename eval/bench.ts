import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { absentAs, UsageError } from '../src/core/errors.ts'
import type { Agreed, AgreeWork } from './agree/agree-runs.ts'
import type { CalibrateWork } from './agree/check-judges.ts'
import type { JudgeForecast, SwapWork } from './agree/compare-judges.ts'
import type { JudgeReplies } from './agree/judge-replies.ts'
import type { SheetWork } from './agree/sheet/write-sheet.ts'
import type { Swap } from './agree/swap.ts'
import type { BenchWorld } from './bench-world.ts'
import type { Benchmark, MadeFolder, MakeWork } from './benchmarks/benchmark.ts'
import { benchmarkNames, loadBenchmark } from './benchmarks/index.ts'
import type { RecordMap } from './benchmarks/map/record-map.ts'
import type { PublishedTable } from './benchmarks/published.ts'
import { linesOf } from './data/lines.ts'
import type { ReportTable } from './data/report-table.ts'
import type { Scores, Scoring } from './data/sample.ts'
import type { JudgeCheck } from './judges/calibration/calibrate.ts'
import type { Making } from './make/make-set.ts'
import type { MakeRequest, MakeWish, MakeWorld } from './make/request.ts'
import type { Comparison } from './report/compare-runs.ts'
import type { ExportRun } from './report/export/export-run.ts'
import type { Figure } from './report/figures/figure.ts'
import type { OwnSources } from './report/papers/own-rows.ts'
import type { RunReport } from './report/run-report.ts'
import { tablesOf } from './report/tables.ts'
import type { BenchRequest } from './runner/bench-request.ts'
import type { Bench } from './runner/open-bench.ts'
import type { VideoWish, WantedVideo } from './runner/videos/list-videos.ts'
import type { LockWork } from './runner/videos/video-lock.ts'
import type { ListForm } from './runner/videos/written-list.ts'

export type { Agreed } from './agree/agree-runs.ts'
export type { JudgeForecast } from './agree/compare-judges.ts'
export type { Swap } from './agree/swap.ts'
export type { Benchmark, MadeFolder } from './benchmarks/benchmark.ts'
export { type DataPart, dataParts } from './benchmarks/data-guide.ts'
export type { DataFetch } from './benchmarks/fetch/fetch-data.ts'
export type { RecordMap } from './benchmarks/map/record-map.ts'
export type { MadeSet } from './data/benchmark-json.ts'
export type { ReportTable } from './data/report-table.ts'
export type { Scores, Scoring } from './data/sample.ts'
export type { SampleLine } from './data/sample-line.ts'
export type { JudgeCheck } from './judges/calibration/calibrate.ts'
export type { SetCheck } from './make/check-set.ts'
export type { Making } from './make/make-set.ts'
export type { MakeRequest, MakeWorld } from './make/request.ts'
// What the command line may ask of the benchmarks. Nothing of a benchmark or of the agent is loaded before it is needed.
export { aimTable } from './report/aim-table.ts'
export type { Comparison } from './report/compare-runs.ts'
export type { ExportRun } from './report/export/export-run.ts'
export type { RunReport } from './report/run-report.ts'
export { tablesOf } from './report/tables.ts'
export { metricTitle, nameOf } from './report/titles.ts'
export type { RunProgress } from './runner/ask/settle-samples.ts'
export type { BenchRequest } from './runner/bench-request.ts'
export type { BenchResult } from './runner/conclude.ts'
export type { Forecast } from './runner/cost/forecast.ts'
export { findRun, readBenchRun } from './runner/files/run-files.ts'
export type { Bench, BenchProgress } from './runner/open-bench.ts'
export { withPath } from './runner/options.ts'
export type { Preflight } from './runner/preflight.ts'
export type { VideoWish, WantedVideo } from './runner/videos/list-videos.ts'
export type { ListForm } from './runner/videos/written-list.ts'
export { benchmarkNames, linesOf, loadBenchmark }

type ReviewedSet = OwnSources['sets'][number]

export async function allBenchmarks(): Promise<Benchmark[]> {
  return Promise.all(benchmarkNames.map(loadBenchmark))
}

export async function openBench(request: BenchRequest, world: BenchWorld): Promise<Bench> {
  return (await import('./runner/open-bench.ts')).openBench(request, world)
}

// The videos that a benchmark asks about, and where they are.
export async function listVideos(wish: VideoWish): Promise<WantedVideo[]> {
  return (await import('./runner/videos/list-videos.ts')).listVideos(wish)
}

// The checks of a making, on any set.
export async function checkSet(...work: Parameters<typeof import('./make/check-set.ts').checkSet>) {
  return (await import('./make/check-set.ts')).checkSet(...work)
}

export async function fetchMissing(...work: Parameters<typeof import('./runner/videos/list-videos.ts').fetchMissing>) {
  return (await import('./runner/videos/list-videos.ts')).fetchMissing(...work)
}

export async function writtenList(
  form: ListForm,
  videos: readonly WantedVideo[],
  { wish, ...about }: { wish: VideoWish; file: string; height: number },
): Promise<string> {
  const [{ writtenList }, { rootOf }] = await Promise.all([
    import('./runner/videos/written-list.ts'),
    import('./data/find-videos.ts'),
  ])
  return writtenList(form, videos, { ...about, benchmark: wish.benchmark, root: await rootOf(wish.data, wish.videos) })
}

export async function lockVideos(...work: Parameters<typeof import('./runner/videos/video-lock.ts').lockVideos>) {
  return (await import('./runner/videos/video-lock.ts')).lockVideos(...work)
}

// Against a lock, or the list that the makers publish.
export async function verifyVideos(videos: readonly WantedVideo[], file: string, work: LockWork) {
  const { readLock, verifyVideos } = await import('./runner/videos/video-lock.ts')
  return verifyVideos(videos, await readLock(file), work)
}

// A file of an unknown layout by a map, proposed or given.
export async function mapFile(...given: Parameters<typeof import('./benchmarks/map/map-file.ts').mapFile>) {
  return (await import('./benchmarks/map/map-file.ts')).mapFile(...given)
}

export async function readMap(path: string): Promise<RecordMap> {
  return (await import('./benchmarks/map/with-map.ts')).readMap(path)
}

// What fetching its data would bring, and the fetching of it.
export async function openFetch(...given: Parameters<typeof import('./benchmarks/fetch/fetch-data.ts').openFetch>) {
  return (await import('./benchmarks/fetch/fetch-data.ts')).openFetch(...given)
}

// Renders the videos of a benchmark that is made here.
export async function makeBenchmark(name: string, work: MakeWork): Promise<MadeFolder> {
  const { make } = await loadBenchmark(name)
  if (make) return make.make(work)
  throw new UsageError(`${name} is not made here; its data are fetched.`, {
    hint: `"longtake bench show ${name}" says what to fetch.`,
  })
}

// Makes a set of a person's own videos.
export async function makeOwnSet(request: MakeRequest, world: MakeWorld): Promise<Making> {
  return (await import('./make/make-set.ts')).makeSet(request, world)
}

// One person's review of a made set.
export async function openReview(...given: Parameters<typeof import('./make/review/open-review.ts').openReview>) {
  return (await import('./make/review/open-review.ts')).openReview(...given)
}

// One person who writes questions into a made set.
export async function openPeople(
  ...given: Parameters<typeof import('./make/review/people/open-people.ts').openPeople>
) {
  return (await import('./make/review/people/open-people.ts')).openPeople(...given)
}

// The page of a review for somebody without longtake.
export async function staticReview(...given: Parameters<typeof import('./make/review/static-page.ts').staticPage>) {
  return (await import('./make/review/static-page.ts')).staticPage(...given)
}

export async function importVerdicts(
  ...given: Parameters<typeof import('./make/review/import-verdicts.ts').importVerdicts>
) {
  return (await import('./make/review/import-verdicts.ts')).importVerdicts(...given)
}

// What is wished of a making: as typed, or as a set has it.
export async function readWish(given: Parameters<typeof import('./make/read-wish.ts').readWish>[0]): Promise<MakeWish> {
  if ('from' in given) (await import('./make/source/inputs.ts')).refuseAddresses(given.from)
  return (await import('./make/read-wish.ts')).readWish(given)
}

// The data of a benchmark that everybody has, made when they are not there yet.
export async function bundledFolder(
  name: string,
  home: string,
  work: Pick<MakeWork, 'onProgress' | 'signal'>,
): Promise<string> {
  const { make } = await loadBenchmark(name)
  if (!make)
    throw new UsageError('--data is missing.', {
      hint: `Name the folder of the annotations; "longtake bench show ${name}" says what to download.`,
    })
  const { seed, minutes, videos } = make.bundled
  const folder = join(home, 'benchmarks', `${name}-${seed}-${minutes}min-${videos}`)
  const whole = await stat(join(folder, make.lastFile)).catch(absentAs(undefined))
  if (!whole) await make.make({ ...make.bundled, ...work, folder, access: 'private' })
  return folder
}

// Of each model the run that is best among those that differ in one setting.
export async function bestOf(reports: readonly RunReport[], setting: string): Promise<RunReport[]> {
  return (await import('./report/papers/best-of.ts')).bestOf(reports, setting)
}

export async function loadReport(folder: string): Promise<RunReport> {
  return (await import('./report/reports.ts')).loadReport(folder)
}

// The report as one page, one table of samples, or Markdown.
export async function writtenReport(
  form: 'html' | 'csv' | 'md' | 'tex',
  reports: readonly RunReport[],
): Promise<string> {
  if (form === 'html') return (await import('./report/run-page.ts')).runPage(reports)
  if (form === 'csv') return (await import('./report/csv.ts')).csv(reports)
  if (form === 'tex') {
    const ids = new Set(reports.flatMap(report => report.published.map(table => table.id)))
    const { aimTable } = await import('./report/aim-table.ts')
    const { nameOf } = await import('./report/titles.ts')
    const aim = aimTable(
      reports.map(report => ({ ...(reports.length > 1 && { name: nameOf(report) }), aim: report.aim })),
    )
    return writtenTables('tex', [...(await paperTables([...ids], reports)), ...(aim.rows.length > 0 ? [aim] : [])])
  }
  const { markdown } = await import('./report/markdown.ts')
  return markdown(`longtake bench: ${reports[0]?.run.benchmark}`, tablesOf(reports))
}

export async function loadComparison(a: string, b: string): Promise<Comparison> {
  return (await import('./report/reports.ts')).loadComparison(a, b)
}

export async function agreeOnRuns(work: AgreeWork, world: BenchWorld): Promise<Agreed> {
  return (await import('./agree/agree-runs.ts')).agreeOnRuns(work, world)
}

// Agreement as tables of a report.
export async function agreementTables(agreed: Pick<Agreed, 'agreements'>): Promise<ReportTable[]> {
  return (await import('./agree/tables.ts')).agreementTables(agreed.agreements)
}

// A blind sheet for people to judge on; what the file shall hold.
export async function writtenSheet(work: SheetWork): Promise<{ text: string; rows: number }> {
  return (await import('./agree/sheet/write-sheet.ts')).writtenSheet(work)
}

export async function forecastJudges(work: Omit<SwapWork, 'onJudged'>, world: BenchWorld): Promise<JudgeForecast[]> {
  return (await import('./agree/compare-judges.ts')).forecastJudges(work, world)
}

export async function compareJudges(work: SwapWork, world: BenchWorld): Promise<Swap> {
  return (await import('./agree/compare-judges.ts')).compareJudges(work, world)
}

export async function swapTables(swap: Swap): Promise<ReportTable[]> {
  return (await import('./agree/swap-tables.ts')).swapTables(swap)
}

// Judges on the shipped items; the results are kept for later runs.
export async function checkJudges(work: CalibrateWork, world: BenchWorld): Promise<JudgeCheck[]> {
  return (await import('./agree/check-judges.ts')).checkJudges(work, world)
}

export async function checkTables(checks: readonly JudgeCheck[]): Promise<ReportTable[]> {
  return (await import('./agree/check-judges.ts')).checkTables(checks)
}

export async function judgeReplies(
  work: JudgeReplies,
  world: BenchWorld,
): Promise<{ lines: string[]; failed: number }> {
  return (await import('./agree/judge-replies.ts')).judgeReplies(work, world)
}

export interface ScoreRequest {
  benchmark: string
  data?: string
  split?: string
  map?: RecordMap
  replies: () => AsyncIterable<string> // JSON lines
  scoring: Scoring
}

export interface ScoredReplies {
  scores: Scores
  split?: string // of the data
  records: number // of the data
}

// The lines of a replies file, or of the files that the released tools left.
export async function* repliesIn(
  name: string,
  path: string,
  { data, split, map }: Pick<ScoreRequest, 'data' | 'split' | 'map'>,
): AsyncIterable<string> {
  const [{ repliesAt }, { collectSamples }, benchmark] = await Promise.all([
    import('./benchmarks/released/replies-at.ts'),
    import('./runner/collect-samples.ts'),
    loadBenchmark(name),
  ])
  yield* repliesAt(benchmark, path, async () => {
    if (data !== undefined) return (await collectSamples(benchmark, data, { split, map })).samples
    throw new UsageError(`--data is missing: ${path} names no questions by the ids of ${name}.`, {
      hint: 'Name the folder or the file of the annotations.',
    })
  })
}

// A run in the form of its benchmark's released tools; the files below `out`.
export async function exportRun(work: ExportRun): Promise<string[]> {
  return (await import('./report/export/export-run.ts')).exportRun(work)
}

// Scores replies. Only judged records do without the data; for strict scoring the data say what is missing among them.
export async function scoreReplies(request: ScoreRequest): Promise<ScoredReplies> {
  const { benchmark: name, data, split: wanted, map, replies, scoring } = request
  const benchmark = await loadBenchmark(name)
  if (data === undefined && !benchmark.judgedRecords)
    throw new UsageError(`--data is missing: ${name} is scored against its annotations.`, {
      hint: `Name the folder or the file; "longtake bench show ${name}" says what to download.`,
    })
  if (data === undefined && wanted !== undefined)
    throw new UsageError(`--split ${wanted} is of the data, so it needs --data.`, { hint: 'Leave it out.' })
  if (data === undefined && map !== undefined)
    throw new UsageError('--map says how the data are read, so it needs --data.', { hint: 'Leave it out.' })
  const [{ readSplit }, { withMap }] = await Promise.all([
    import('./benchmarks/read-split.ts'),
    import('./benchmarks/map/with-map.ts'),
  ])
  const { records, split } =
    data === undefined ? { records: [] } : await readSplit(withMap(benchmark, map), data, wanted)
  const isRead = !(benchmark.judgedRecords && scoring === 'official')
  const scores = await benchmark.score({ records: isRead ? records : [], replies: replies(), scoring })
  return { scores, split, records: records.length }
}

// The groups of scores and, where they are official, the published tables with them in it.
export async function scoredTables(
  { scores, split, records }: ScoredReplies,
  about: { name: string; byWords: boolean },
): Promise<ReportTable[]> {
  const benchmark = await loadBenchmark(scores.benchmark)
  const [{ scoredFile }, { paperTable }, { tablesForSplit }, { groupTablesOf }] = await Promise.all([
    import('./report/papers/own-result.ts'),
    import('./report/papers/paper-table.ts'),
    import('./report/papers/paper-tables.ts'),
    import('./report/group-scores.ts'),
  ])
  const own = scoredFile(benchmark, scores, { ...about, split, records })
  const titleOf = (metric: string) => (own.byWords.includes(metric) ? `${metric} (words)` : metric)
  const published = scores.scoring === 'official' ? (benchmark.published ?? []) : []
  const papers = tablesForSplit(published, own.split).map(table => paperTable(table, [own]))
  return [...groupTablesOf(own.groups, scores.scoring, titleOf), ...papers]
}

// The published tables by their ids, with these runs, and sets that people reviewed, in them.
export async function paperTables(
  ids: readonly string[],
  reports: readonly RunReport[],
  sets: readonly ReviewedSet[] = [],
): Promise<ReportTable[]> {
  const [{ filledTable }, { publishedTable }] = await Promise.all([
    import('./report/papers/filled-table.ts'),
    import('./report/papers/paper-tables.ts'),
  ])
  const tables = await Promise.all(ids.map(publishedTable))
  return tables.map(table => filledTable(table, reports, sets))
}

// A made set for the tables of these ids; undefined where the folder holds none.
export async function reviewedSet(folder: string, ids: readonly string[]): Promise<ReviewedSet | undefined> {
  return (await import('./report/papers/filled-table.ts')).reviewedSet(folder, ids)
}

export async function listPaperTables(): Promise<PublishedTable[]> {
  return (await import('./report/papers/paper-tables.ts')).publishedTablesOfAll()
}

// Tables in one form.
export async function writtenTables(form: 'csv' | 'md' | 'tex', tables: readonly ReportTable[]): Promise<string> {
  if (form === 'tex') return (await import('./report/papers/latex.ts')).paperLatex(tables)
  if (form === 'md') return (await import('./report/markdown.ts')).markdown('longtake bench: published tables', tables)
  const { csvText } = await import('../src/core/words/csv-cell.ts')
  const cells = (row: readonly string[]) => row.map(cell => (cell === '-' ? '' : cell))
  return csvText(tables.flatMap(({ columns, rows }, at) => [...(at === 0 ? [] : [[]]), columns, ...rows.map(cells)]))
}

// A figure of a paper with these runs in it, as data and as its table for each panel.
export async function paperFigure(
  id: string,
  reports: readonly RunReport[],
): Promise<{ figure: Figure; tables: ReportTable[] }> {
  const [{ buildFigure }, { figureTables }] = await Promise.all([
    import('./report/figures/build.ts'),
    import('./report/figures/rows.ts'),
  ])
  const figure = await buildFigure(id, reports)
  return { figure, tables: figureTables(figure) }
}

export async function listPaperFigures() {
  return (await import('./report/figures/build.ts')).listFigures()
}

export async function writtenFigure(form: 'csv' | 'svg' | 'tex', figure: Figure): Promise<string> {
  if (form === 'csv') return (await import('./report/figures/rows.ts')).figureCsv(figure)
  if (form === 'svg') return (await import('./report/figures/draw/svg.ts')).figureSvg(figure)
  return (await import('./report/figures/pgfplots.ts')).figureTex(figure)
}
