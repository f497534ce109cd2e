import { loadStages } from '../../../tools/stages/index.ts'
import {
  need,
  openStills,
  readStagePeople,
  readStageRows,
  readVectors,
  rowsOfStages,
  shotList,
  stillList,
} from '../../../tools/stages/results.ts'
import { once } from '../../core/basics/once.ts'
import type { Evidence } from '../../core/evidence.ts'
import type { IndexSettings } from '../../core/settings.ts'
import type { StoredResult } from '../../core/stage.ts'
import type { VideoIndex } from '../../core/video.ts'
import { pcmFile } from '../../media/audio.ts'
import { vectorIndexes } from '../../search/vectors/index.ts'
import { openVideoIndex, type Ranking } from '../../search/video-index.ts'
import { readStage } from '../../store/stage/stage.ts'
import type { Models } from '../models/models.ts'
import { type IndexedVideo, openStageReader, type StageResults } from './find-index.ts'
import { indexKey } from './index-key.ts'
import type { StageChanges } from './plan-stages.ts'

// Twenty seconds, by their number, that were looked at closely because a question touched them: for text, or for a caption.
export type LookedWindow = number | { captioned: number }

// `deepened`: such windows; they are not in its key.
export type OpenedIndex = VideoIndex & Ranking & { key: string; close(): Promise<void>; deepened?: LookedWindow[] }

// The finished index of a video, opened for reading. Vectors and encoders load only when a search needs them.
export async function openIndex(
  indexed: IndexedVideo,
  models: Models,
  settings: IndexSettings,
  signal: AbortSignal,
  changes?: StageChanges,
): Promise<OpenedIndex> {
  const { stages, reports, video, coverage, overview } = indexed
  const result = openStageReader(stages)
  const decoded = need(result('decode'))
  const words = need(result('full-text'))
  const stills = await stillList(decoded, changes?.stills?.keep)
  let opened: ReturnType<typeof openStills> | undefined
  const index = openVideoIndex({
    video,
    coverage,
    overview,
    people: await readStagePeople(result('people')),
    stills,
    shots: await shotList(decoded),
    // Rows in words are those that only this index has, beside those of its tracks: see deepen.ts.
    evidence: [...(await allRows(stages)), ...(await readStageRows(words))],
    textIndexFile: words.path('words.sqlite'),
    still: async at => {
      opened ??= openStills(decoded.path('stills.bin'))
      return (await opened).jpeg(need(stills[at]))
    },
    audio: async () => (decoded.has('sound.pcm') ? pcmFile(decoded.path('sound.pcm')) : undefined),
    picture:
      stages['vector-index'] && stages.vectors
        ? pictureSearch(stages['vector-index'], stages.vectors, models, settings, signal)
        : undefined,
    meaning: stages['text-vectors'] ? meaningSearch(stages['text-vectors'], models, signal) : undefined,
  })
  return {
    ...index,
    key: indexKey(reports),
    close: async () => {
      await index.close()
      await opened?.then(
        file => file.close(),
        () => {}, // opening failed; the caller has already received that error
      )
    },
  }
}

// Rows of the tracks and the chapters' summaries, in time order: what full-text search covers.
export async function allRows(stages: StageResults): Promise<Evidence[]> {
  return rowsOfStages(await loadStages(), openStageReader(stages))
}

function pictureSearch(
  nearest: StoredResult,
  vectors: StoredResult,
  models: Models,
  settings: IndexSettings,
  signal: AbortSignal,
) {
  const read = once(() => readVectors(readStage(vectors.folder)))
  return {
    by: vectors.meta.by,
    index: once(async () =>
      vectorIndexes[settings.vectors].open(readStage(nearest.folder).path('vectors.index'), (await read()).dimensions),
    ),
    vectorOf: async (still: number) => (await read()).vectors[still],
    minLikeness: async () => (await models.open('embedImage')).service.minLikeness,
    encode: async (query: string) => {
      const { service } = await models.open('embedImage')
      return queryVector(service, query, async () => (await service.text([query], signal))[0])
    },
  }
}

function meaningSearch(meaning: StoredResult, models: Models, signal: AbortSignal) {
  const load = once(async () => {
    const { dimensions, vectors, ids } = await readVectors(readStage(meaning.folder))
    const index = await vectorIndexes.exact.create(dimensions, Math.max(1, vectors.length))
    for (const [key, vector] of vectors.entries()) index.add(key, vector)
    return { index, ids }
  })
  return {
    by: meaning.meta.by,
    index: async () => (await load()).index,
    ids: async () => (await load()).ids,
    encode: async (query: string) => {
      const { service } = await models.open('embedText')
      return queryVector(service, query, async () => (await service.queries([query], signal))[0])
    },
  }
}

const last = new WeakMap<object, { query: string; vector: Promise<Float32Array | undefined> }>()

// The vector of a query by one encoder; asked again for the next video, it is not worked out again.
function queryVector(
  encoder: object,
  query: string,
  encode: () => Promise<Float32Array | undefined>,
): Promise<Float32Array | undefined> {
  const lastQuery = last.get(encoder)
  if (lastQuery?.query === query) return lastQuery.vector
  const vector = encode()
  last.set(encoder, { query, vector })
  vector.catch(() => last.delete(encoder))
  return vector
}
