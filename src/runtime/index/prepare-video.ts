import { asksWithoutIndex } from '../../../graphs/index.ts'
import type { StageReport } from '../../core/runtime.ts'
import { isVideoId, type Video } from '../../core/video.ts'
import { refuseMissing } from '../../search/vectors/index.ts'
import { type RuntimeParts, type VideoOptions, type WatchedOptions, watchOptions } from '../context.ts'
import { recordWhole, refuseChanged } from './content/guard.ts'
import { type DeepeningIndex, deepeningIndex } from './deepening-index.ts'
import { finder, findWhole, type IndexedVideo, type IndexWork } from './find-index.ts'
import { locateVideo } from './locate-video.ts'
import { type OpenedIndex, openIndex } from './open-index.ts'
import { chooseTrust, filePolicy } from './plan-stages.ts'

export interface PreparedIndex extends DeepeningIndex {
  stages: StageReport[]
  bareFor?: string // it holds nothing: the graph that it was opened for needs no index
}

// The index as questions use it: nothing but the file where the graph looks into it by itself.
export async function openPreparedIndex(
  runtime: RuntimeParts,
  path: string,
  graph: string,
  options: VideoOptions,
): Promise<PreparedIndex> {
  if (await asksWithoutIndex(graph))
    return { ...fixedIndex(await openBare(runtime, path, options)), stages: [], bareFor: graph }
  const indexed = await prepareVideo(runtime, path, options)
  const { models, library, settings, host } = runtime
  await models.leaveCard() // the models that answer need it
  const { fixedIndexes } = runtime.options
  const { watch, signal } = { ...options, signal: host.signal } // the index stays open when the signal of its opening is over
  const indexWork = { folder: library.videoFolder(indexed.video.id), models, settings: settings.index, signal, watch }
  const index = fixedIndexes
    ? fixedIndex(await openIndex(indexed, models, settings.index, signal, fixedIndexes))
    : await deepeningIndex(indexed, indexWork)
  return { ...index, stages: indexed.reports }
}

// The index of a video; what is missing of it is made.
export async function prepareVideo(runtime: RuntimeParts, path: string, given: VideoOptions): Promise<IndexedVideo> {
  const options = watchOptions(runtime, given)
  const { video, otherMachines } = await locate(runtime, path, options)
  const shared = await runtime.options.shared?.(video, options.watch)
  const indexWork = { ...videoWork(runtime, video, options), changes: runtime.options.fixedIndexes, shared }
  // Subtitle files that lie beside it on another machine are part of the index that was made there.
  const remote = isVideoId(path) && video.sidecars.length === 0 ? await otherMachines?.asIndexed(video.id) : undefined
  const withSidecars = remote && { ...indexWork, video: { ...video, sidecars: remote.video.sidecars } }
  const whole = withSidecars && (await findWhole(withSidecars, finder(indexWork), remote.files))
  return whole ? { ...whole, video } : indexVideo(indexWork)
}

// Builds the missing stages. A complete index is returned without locking.
async function indexVideo(work: IndexWork): Promise<IndexedVideo> {
  const { watch, signal, settings } = work
  refuseMissing(settings.vectors)
  const content = { trust: chooseTrust(settings), watch, signal }
  const whole = await findWhole(work)
  if (!whole) return (await import('./build-index.ts')).buildIndex(work, content)
  await recordWhole(work.video, work.folder, content)
  return whole
}

// Without a stage of an index, for a graph that needs none.
export async function openBare(runtime: RuntimeParts, path: string, given: VideoOptions): Promise<OpenedIndex> {
  const options = watchOptions(runtime, given)
  const { video } = await locate(runtime, path, options)
  const { openBareIndex } = await import('./bare-index.ts')
  const indexWork = videoWork(runtime, video, options)
  const finished = () => (runtime.options.fixedIndexes ? prepareVideo(runtime, path, options) : findWhole(indexWork))
  return openBareIndex({ ...indexWork, words: runtime.settings.seek.words, finished })
}

export function refuseChangedVideo(
  { library, settings }: RuntimeParts,
  video: Video,
  { watch, signal }: WatchedOptions,
): Promise<void> {
  const trust = chooseTrust(settings.index)
  return refuseChanged(video, library.videoFolder(video.id), { trust, watch, signal })
}

async function locate(
  { library, settings, options: overrides }: RuntimeParts,
  path: string,
  { watch, signal, subtitles, file = true }: WatchedOptions<VideoOptions>,
) {
  const otherMachines = overrides.elsewhere?.(watch)
  const elsewhere = file ? otherMachines : otherMachines && { ...otherMachines, fetch: undefined }
  const video = await locateVideo(library, path, { ...filePolicy(settings.index), elsewhere, watch, signal })
  return { video: subtitles === undefined ? video : { ...video, sidecars: [subtitles] }, otherMachines }
}

function videoWork({ library, models, settings }: RuntimeParts, video: Video, { watch, signal }: WatchedOptions) {
  return { video, folder: library.videoFolder(video.id), models, settings: settings.index, watch, signal }
}

// An index that learns nothing from the questions.
function fixedIndex(index: OpenedIndex): DeepeningIndex {
  return { index: () => index, touch: async () => index, close: () => index.close() }
}
