import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { QuestionsAsked, ReportDetails, ReportEntry, Reports } from '../../src/core/api/report.ts'
import { StorageError, UsageError } from '../../src/core/errors.ts'
import { readTextFile } from '../../src/store/read-file.ts'
import type { StoredRun } from '../../src/store/run/run-folder.ts'
import { writtenStudy } from '../ablate/report/files.ts'
import { readResult } from '../ablate/result/read-result.ts'
import { loadReport } from '../report/reports.ts'
import { runPage } from '../report/run-page.ts'
import { askedQuestion, buildCell, type CellQuery, fits } from './cells.ts'
import { type ConfigurationRow, type Loaded, listConfigurations, loadBench, loadStudy } from './configurations.ts'

// The benchmark runs and studies among the runs, as the server shows them. What has not changed since is not read again.
export function openReports(runs: () => Promise<StoredRun[]>): Reports {
  const entries = new Map<string, { stamp: string; entry: ReportEntry }>()
  let last: { stamp: string; html: string } | undefined // a page takes seconds, and has megabytes

  const find = async (id: string) => (await runs()).find(run => run.id === id && run.kind !== 'question')

  return {
    async list() {
      const benchRuns = (await runs()).filter(run => run.kind !== 'question')
      const all: ReportEntry[] = []
      for (const run of benchRuns) {
        const cachedEntry = entries.get(run.id)
        const stamp = await computeStamp(run)
        const entry =
          cachedEntry?.stamp === stamp
            ? cachedEntry.entry
            : await load(run).then(loaded => buildEntry(loaded, listConfigurations(loaded)), passOver)
        if (!entry) continue
        entries.set(run.id, { stamp, entry })
        all.push(entry)
      }
      return all
    },
    async details(id, asked) {
      const run = await find(id)
      return run && buildDetails(await load(run), asked)
    },
    async question(id, question) {
      const run = await find(id)
      return run && askedQuestion(listConfigurations(await load(run)), question)
    },
    async page(id) {
      const run = await find(id)
      if (!run) return undefined
      const stamp = await computeStamp(run)
      if (last?.stamp !== stamp) last = { stamp, html: await readPage(run) }
      return { html: last.html, policy: readPolicy(last.html) }
    },
  }
}

function load(run: StoredRun): Promise<Loaded> {
  return run.kind === 'bench' ? loadBench(run) : loadStudy(run)
}

// A study as it has left it; one that was stopped before its first report is written now.
async function readPage({ kind, folder }: StoredRun): Promise<string> {
  if (kind === 'bench') return runPage([await loadReport(folder)])
  const storedHtml = await readTextFile(join(folder, 'report.html'))
  if (storedHtml !== undefined) return storedHtml
  const { result, linesOf } = await readResult(folder)
  return writtenStudy('html', result, linesOf)
}

// A report says itself which script and style are its own.
function readPolicy(html: string): string {
  const [, policy] = /<meta http-equiv="Content-Security-Policy" content="([^"<>]+)">/.exec(html.slice(0, 4000)) ?? []
  return policy ?? "default-src 'none'"
}

// A folder of another release, or a damaged one, is not a report.
function passOver(error: unknown): undefined {
  if (!(error instanceof UsageError || error instanceof StorageError)) throw error
}

function buildEntry({ run, about }: Loaded, configurations: readonly ConfigurationRow[]): ReportEntry {
  const [first] = configurations
  return {
    report: run.id,
    kind: run.kind === 'ablate' ? 'ablate' : 'bench',
    name: run.name,
    benchmark: about.benchmark,
    ...(about.split !== undefined && { split: about.split }),
    started: run.started,
    finished: configurations.every(one => one.finished),
    samples: about.samples,
    done: first?.lines.length ?? 0,
    configurations: configurations.length,
    tasks: first?.tasks ?? [],
    cost: first?.cost ?? noCost,
  }
}

const noCost = { questions: 0, seconds: 0, calls: 0, tokens: 0, frames: 0, money: 0 }

function buildDetails(loaded: Loaded, { show = 'all', first, count }: QuestionsAsked): Omit<ReportDetails, 'page'> {
  const configurations = listConfigurations(loaded)
  const { configurations: _, ...entry } = buildEntry(loaded, configurations)
  const ids = new Map(configurations.flatMap(({ lines }) => lines.map(line => [line.id, line] as const)))
  const questions = [...ids.values()]
    .sort((a, b) => a.place - b.place)
    .map((line): CellQuery => ({ line, cells: configurations.flatMap(one => buildCell(one, line.id, configurations)) }))
  const shownQuestions = questions.filter(({ cells }) => fits(cells, show))
  const end = first + count
  return {
    ...entry,
    notes: loaded.notes,
    configurations: configurations.map(({ lines: _, run: __, ...one }) => one),
    questions: shownQuestions.slice(first, end).map(({ line, cells }) => ({
      question: line.id,
      text: line.question.text,
      video: line.video,
      groups: line.groups,
      cells,
    })),
    found: shownQuestions.length,
    ...(end < shownQuestions.length && { cursor: String(end) }),
  }
}

// Lines are appended to the samples while the folder stays as it is.
async function computeStamp({ id, folder, state, kind }: StoredRun): Promise<string> {
  const files = kind === 'bench' ? ['samples.jsonl'] : ['results.json', 'rows/base/samples.jsonl']
  const stats = await Promise.all(files.map(file => stat(join(folder, file)).catch(() => undefined)))
  return [id, state, ...stats.map(found => `${found?.size} ${found?.mtimeMs}`)].join(' ')
}
