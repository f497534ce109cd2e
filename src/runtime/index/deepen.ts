import { z } from 'zod'
import { need, readStageRows, stillList } from '../../../tools/stages/results.ts'
import type { Watch } from '../../core/agent.ts'
import { emptyUsage, Usage } from '../../core/chat.ts'
import { byTime, type Evidence } from '../../core/evidence.ts'
import type { IndexSettings } from '../../core/settings.ts'
import type { StoredResult } from '../../core/stage.ts'
import { formatSpan, gapsBetween, mergeSpans, type Span, spanLength } from '../../core/time.ts'
import type { Video, VideoIndex } from '../../core/video.ts'
import { storedStage } from '../../core/words/stage-names.ts'
import { nearDuplicate } from '../../search/near-duplicates.ts'
import { buildTextIndex } from '../../search/text-index.ts'
import { findOrMakeStage, readStage, stageKey } from '../../store/stage/stage.ts'
import { listStageResults, stageFolder } from '../../store/stage/stage-check.ts'
import type { Models } from '../models/models.ts'
import { usageCost } from '../models/prices.ts'
import { refuseChanged } from './content/guard.ts'
import type { IndexedVideo } from './find-index.ts'
import { allRows, type LookedWindow, type OpenedIndex, openIndex } from './open-index.ts'
import { chooseTrust } from './plan-stages.ts'

export interface DeepenWork {
  folder: string // of the video in the library
  models: Models
  settings: IndexSettings
  signal: AbortSignal
  watch?: Watch
  spend?(usage: Usage): void // what a model took for it, as it is taken
}

const windowSeconds = 20 // windows lie on a grid, so that two questions about one place share theirs
const maxWindows = 3 // for one question
const version = '1'

// What of an index is looked at closely around a question: the text of a window of which only keyframes are known, or a caption of one
// that has none as close.
interface RefineOptions {
  text: boolean
  captions: boolean
}

// The windows around the best hits of a question.
export async function touchedWindows(
  index: VideoIndex,
  question: string,
  closely: RefineOptions,
): Promise<LookedWindow[]> {
  if (question.trim() === '') return []
  const hits = await index.search({ query: question, k: 8 })
  const short = hits.filter(({ evidence: { span, track } }) => track !== 'summary' && span.end - span.start <= 60)
  const moments = short
    .map(({ evidence }) => evidence.frame ?? (evidence.span.start + evidence.span.end) / 2)
    .filter(moment => moment < index.video.duration)
  const windows = [...new Set(moments.map(moment => Math.floor(moment / windowSeconds)))].slice(0, maxWindows)
  return [
    ...(closely.text ? windows : []),
    ...(closely.captions ? windows.filter(window => lacksCaption(index, window)) : []).map(captioned => ({
      captioned,
    })),
  ]
}

// Captions of longer clips say little of what moves within them.
function lacksCaption(index: VideoIndex, window: number): boolean {
  const span = computeSpan(window, index.video)
  const all = index.evidence({ tracks: ['caption'], span }).map(row => row.span)
  const close = mergeSpans(all.filter(one => spanLength(one) <= windowSeconds))
  const open = gapsBetween(close, span).filter(gap => spanLength(gap) > 1)
  const moves = index.stills.some(
    ({ time, reason }) => reason !== 'interval' && open.some(gap => time >= gap.start && time < gap.end),
  )
  return moves || open.some(gap => gapsBetween(all, gap).some(part => spanLength(part) > 1))
}

// The windows that earlier questions had looked at closely.
export async function knownWindows(
  indexed: IndexedVideo,
  work: DeepenWork,
  closely: RefineOptions,
): Promise<LookedWindow[]> {
  const { models, folder } = work
  const windowsOf = async (name: string, role: 'readText' | 'vision', input: string, key: string | undefined) => {
    const { by } = await models.chosen(role)
    const matching = (await listStageResults(folder, name)).filter(meta => meta.by === by && meta.inputs[input] === key)
    return matching.flatMap(meta => Window.safeParse(meta.settings).data?.window ?? [])
  }
  const { decode, captions } = indexed.stages
  const text = closely.text ? await windowsOf('deepened', 'readText', 'decode', need(decode).key) : []
  const captioned = closely.captions ? await windowsOf('captioned', 'vision', 'captions', captions?.key) : []
  return [...text, ...captioned.map(captioned => ({ captioned }))]
}

const Window = z.object({ window: z.number().int().min(0) })

// The index with these windows looked at closely; what was not made before is made, and stays for later questions.
export async function deepen(
  indexed: IndexedVideo,
  windows: readonly LookedWindow[],
  work: DeepenWork,
): Promise<IndexedVideo> {
  const text = sorted(windows.filter(window => typeof window === 'number'))
  const captioned = sorted(windows.flatMap(window => (typeof window === 'number' ? [] : [window.captioned])))
  if (text.length + captioned.length === 0) return indexed
  const { stages, video, coverage } = indexed
  const textResults: StoredResult[] = []
  for (const window of text) textResults.push(await oneWindow(indexed, window, work))
  const base = await allRows(stages)
  const described: StoredResult[] = []
  for (const window of captioned) described.push(await oneCaption(indexed, base, window, work))
  const rowsIn = async (results: StoredResult[]) =>
    (await Promise.all(results.map(({ folder }) => readStageRows(readStage(folder))))).flat()
  const read = (await rowsIn(textResults)).filter(row => !base.some(known => nearDuplicate(known, row)))
  const fresh = [...read, ...(await rowsIn(described))].sort(byTime)
  const inputs = {
    [storedStage('full-text')]: need(stages['full-text']).key,
    ...Object.fromEntries([...textResults, ...described].map(({ key }, at) => [`deep${at}`, key])),
  }
  const words = await stage('full-text', 'search/fts5', {}, inputs, video, work, async out => {
    await out.lines('evidence.jsonl', fresh)
    await buildTextIndex(out.path('words.sqlite'), [...base, ...fresh].sort(byTime), work.signal)
  })
  const spansNote = (sentence: string, looked: number[]) =>
    looked.length > 0
      ? [`${sentence}: ${looked.map(window => formatSpan(computeSpan(window, video))).join(', ')}.`]
      : []
  const notes = [
    ...coverage.notes,
    ...spansNote('Around what was asked all frames were looked at for text', text),
    ...spansNote('Around what was asked the picture was captioned closely', captioned),
  ]
  return { ...indexed, stages: { ...stages, 'full-text': words }, coverage: { ...coverage, notes } }
}

function sorted(windows: readonly number[]): number[] {
  return [...new Set(windows)].sort((a, b) => a - b)
}

// The same, opened; it lists the windows it holds, so that a run can be resumed or replayed on exactly the same index.
export async function openDeepened(
  indexed: IndexedVideo,
  windows: readonly LookedWindow[],
  work: DeepenWork,
  signal = work.signal, // of the making; the opened index lives on
): Promise<OpenedIndex> {
  const deep = await deepen(indexed, windows, { ...work, signal })
  return { ...(await openIndex(deep, work.models, work.settings, work.signal)), deepened: [...windows] }
}

async function oneWindow({ stages, video }: IndexedVideo, window: number, work: DeepenWork): Promise<StoredResult> {
  const { models, settings, signal } = work
  const { by, settings: backend, version: own } = await models.chosen('readText')
  const { stillsPerSecond, stillWidth } = settings
  const inputs = { decode: need(stages.decode).key }
  const stageSettings = { window, backend, stillsPerSecond, stillWidth, own }
  return stage('deepened', by, stageSettings, inputs, video, work, async out => {
    const { deepenedStage } = await import('../../../tools/stages/decode/deepened.ts')
    const { service } = await models.open('readText')
    await deepenedStage({ video, out, signal }, service, by, computeSpan(window, video), settings)
  })
}

// Within the budget of the captions of this video, of which the index and earlier questions have spent some.
async function oneCaption(
  { stages, video, coverage }: IndexedVideo,
  rows: readonly Evidence[],
  window: number,
  work: DeepenWork,
): Promise<StoredResult> {
  const { models, settings, signal, folder } = work
  const { by, settings: backend, version: own } = await models.chosen('vision')
  const { promptHash } = await import('../../../tools/stages/captions/prompt.ts')
  const captions = need(stages.captions)
  const stageSettings = { window, backend, own, frames: settings.captions.frames, prompt: promptHash }
  return stage('captioned', by, stageSettings, { captions: captions.key }, video, work, async out => {
    const { denseCaption } = await import('../../../tools/stages/captions/dense.ts')
    const { budgetOfCaptions, openBudget } = await import('../../../tools/stages/captions/budget.ts')
    const budgeter = openBudget(budgetOfCaptions(settings), models.price('vision'))
    const before = (await listStageResults(folder, 'captioned')).filter(meta => meta.inputs.captions === captions.key)
    const places = before.map(({ key }) => stageFolder(folder, 'captioned', key))
    for (const folder of [captions.folder, ...places])
      budgeter.commit(emptyUsage, await readStage(folder).json('usage.json', Usage))
    const stills = await stillList(readStage(need(stages.decode).folder))
    const most = settings.captions.frames
    const dense = { index: { stills, coverage }, rows, span: computeSpan(window, video), most, budgeter }
    const usage = await denseCaption({ video, out, signal }, await models.open('vision'), dense)
    work.spend?.({ ...usage, money: usageCost(usage, models.price('vision')) })
  })
}

function computeSpan(window: number, video: Video): Span {
  return { start: window * windowSeconds, end: Math.min(video.duration, (window + 1) * windowSeconds) }
}

function stage(
  name: string,
  by: string,
  settings: unknown,
  inputs: Record<string, string>,
  video: Video,
  { folder, settings: indexed, signal, watch = () => {} }: DeepenWork,
  write: Parameters<typeof findOrMakeStage>[0]['make'],
): Promise<StoredResult> {
  const key = stageKey({ video: video.id, stage: name, by, settings, inputs, version })
  const onDamage = (text: string) => watch({ type: 'note', text })
  const make: typeof write = async out => {
    await write(out)
    await refuseChanged(video, folder, { trust: chooseTrust(indexed), watch, signal })
  }
  return findOrMakeStage({ folder, stage: name, key, by, settings, inputs, video: video.id, make, signal, onDamage })
}
