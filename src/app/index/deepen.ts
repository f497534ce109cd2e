import { z } from 'zod'
import { need, rowsOf } from '../../../tools/stages/results.ts'
import type { Watch } from '../../core/agent.ts'
import { byTime } from '../../core/evidence.ts'
import type { IndexSettings } from '../../core/settings.ts'
import type { StageResult } from '../../core/stage.ts'
import { formatSpan, type Span } from '../../core/time.ts'
import type { Video, VideoIndex } from '../../core/video.ts'
import { nearDuplicate } from '../../search/near-duplicates.ts'
import { buildTextIndex } from '../../search/text-index.ts'
import { readStage, runStage, stageKey } from '../../store/stage/stage.ts'
import { listStage } from '../../store/stage/stage-check.ts'
import type { Models } from '../models/models.ts'
import { refuseChanged } from './content/guard.ts'
import type { Indexed } from './find-index.ts'
import { allRows, type OpenedIndex, openIndex } from './open-index.ts'
import { trustOf } from './plan-stages.ts'

export interface DeepenWork {
  folder: string // of the video in the library
  models: Models
  settings: IndexSettings
  signal: AbortSignal
  watch?: Watch
}

const windowSeconds = 20 // windows lie on a grid, so that two questions about one place share theirs
const maxWindows = 3 // for one question
const version = '1'

// The windows around the best hits of a question.
export async function touchedWindows(index: VideoIndex, question: string): Promise<number[]> {
  if (question.trim() === '') return []
  const hits = await index.search({ query: question, k: 8 })
  const short = hits.filter(({ evidence: { span, track } }) => track !== 'summary' && span.end - span.start <= 60)
  const moments = short
    .map(({ evidence }) => evidence.frame ?? (evidence.span.start + evidence.span.end) / 2)
    .filter(moment => moment < index.video.duration)
  return [...new Set(moments.map(moment => Math.floor(moment / windowSeconds)))].slice(0, maxWindows)
}

// The windows that earlier questions had decoded in full.
export async function knownWindows(indexed: Indexed, work: DeepenWork): Promise<number[]> {
  const decode = need(indexed.stages.decode).key
  const metas = await listStage(work.folder, 'deepened')
  const { by } = await work.models.chosen('readText')
  const own = metas.filter(meta => meta.by === by && meta.inputs.decode === decode)
  return own.flatMap(meta => Window.safeParse(meta.settings).data?.window ?? [])
}

const Window = z.object({ window: z.number().int().min(0) })

// The index with these windows decoded in full and read; what was not made before is made, and stays for later questions.
export async function deepen(indexed: Indexed, windows: readonly number[], work: DeepenWork): Promise<Indexed> {
  const sorted = [...new Set(windows)].sort((a, b) => a - b)
  if (sorted.length === 0) return indexed
  const made: StageResult[] = []
  for (const window of sorted) made.push(await oneWindow(indexed, window, work))
  const { stages, video, coverage } = indexed
  const base = await allRows(stages)
  const read = (await Promise.all(made.map(({ folder }) => rowsOf(readStage(folder))))).flat()
  const fresh = read.filter(row => !base.some(known => nearDuplicate(known, row))).sort(byTime)
  const inputs = { words: need(stages.words).key, ...Object.fromEntries(made.map(({ key }, at) => [`deep${at}`, key])) }
  const words = await stage('words', 'search/fts5', {}, inputs, video, work, async out => {
    await out.lines('evidence.jsonl', fresh)
    await buildTextIndex(out.path('words.sqlite'), [...base, ...fresh].sort(byTime), work.signal)
  })
  const spans = sorted.map(window => formatSpan(spanOf(window, video))).join(', ')
  const notes = [...coverage.notes, `Around what was asked all frames were looked at for text: ${spans}.`]
  return { ...indexed, stages: { ...stages, words }, coverage: { ...coverage, notes } }
}

// The same, opened; it lists the windows it holds, so that a run can be resumed or replayed on exactly the same index.
export async function openDeepened(
  indexed: Indexed,
  windows: readonly number[],
  work: DeepenWork,
  signal = work.signal, // of the making; the opened index lives on
): Promise<OpenedIndex> {
  const deep = await deepen(indexed, windows, { ...work, signal })
  return { ...(await openIndex(deep, work.models, work.settings, work.signal)), deepened: [...windows] }
}

async function oneWindow({ stages, video }: Indexed, window: number, work: DeepenWork): Promise<StageResult> {
  const { models, settings, signal } = work
  const { by, settings: backend, version: own } = await models.chosen('readText')
  const { stillsPerSecond, stillWidth } = settings
  const inputs = { decode: need(stages.decode).key }
  const told = { window, backend, stillsPerSecond, stillWidth, own }
  return stage('deepened', by, told, inputs, video, work, async out => {
    const { deepenedStage } = await import('../../../tools/stages/decode/deepened.ts')
    const { service } = await models.open('readText')
    await deepenedStage({ video, out, signal }, service, by, spanOf(window, video), settings)
  })
}

function spanOf(window: number, video: Video): Span {
  return { start: window * windowSeconds, end: Math.min(video.duration, (window + 1) * windowSeconds) }
}

function stage(
  name: string,
  by: string,
  settings: unknown,
  inputs: Record<string, string>,
  video: Video,
  { folder, settings: indexed, signal, watch = () => {} }: DeepenWork,
  write: Parameters<typeof runStage>[0]['make'],
): Promise<StageResult> {
  const key = stageKey({ video: video.id, stage: name, by, settings, inputs, version })
  const onDamage = (text: string) => watch({ type: 'note', text })
  const make: typeof write = async out => {
    await write(out)
    await refuseChanged(video, folder, { trust: trustOf(indexed), watch, signal })
  }
  return runStage({ folder, stage: name, key, by, settings, inputs, video: video.id, make, signal, onDamage })
}
