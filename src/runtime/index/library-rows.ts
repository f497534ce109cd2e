import { need, readStageRows, readVectors, shotList, stillList } from '../../../tools/stages/results.ts'
import type { Evidence } from '../../core/evidence.ts'
import type { Shot, Still, Video } from '../../core/video.ts'
import { type RowTerms, readTerms } from '../../search/text-index.ts'
import { type IndexedVideo, openStageReader } from './find-index.ts'
import { allRows } from './open-index.ts'

// What a search over many videos knows of one, read from its finished index.
interface LibraryRows {
  video: Video
  rows: Evidence[]
  terms: RowTerms[] // of the rows
  pictures?: { by: string; dimensions: number; shots: { shot: number; time: number; vector: Float32Array }[] }
}

export async function libraryRows({ video, stages }: IndexedVideo): Promise<LibraryRows> {
  const words = need(openStageReader(stages)('full-text'))
  const pictures = await readPictureRows(stages)
  return {
    video,
    rows: [...(await allRows(stages)), ...(await readStageRows(words))],
    terms: await readTerms(words.path('words.sqlite')),
    ...(pictures && { pictures }),
  }
}

// One vector a shot: that of the still nearest to its middle.
async function readPictureRows(stages: IndexedVideo['stages']): Promise<LibraryRows['pictures']> {
  const result = openStageReader(stages)
  if (!stages.vectors) return undefined
  const decoded = need(result('decode'))
  const { dimensions, vectors } = await readVectors(need(result('vectors')))
  const stills = await stillList(decoded)
  const shots = middleStills(await shotList(decoded), stills).flatMap(({ shot, still }) => {
    const vector = vectors[still]
    return vector ? [{ shot, time: stills[still]?.time ?? 0, vector }] : []
  })
  return shots.length === 0 ? undefined : { by: stages.vectors.meta.by, dimensions, shots }
}

function middleStills(shots: readonly Shot[], stills: readonly Still[]): { shot: number; still: number }[] {
  const best = new Map<number, { still: number; apart: number }>()
  for (const [still, { shot, time }] of stills.entries()) {
    const { start, end } = shots[shot] ?? { start: time, end: time }
    const apart = Math.abs(time - (start + end) / 2)
    if (apart < (best.get(shot)?.apart ?? Number.POSITIVE_INFINITY)) best.set(shot, { still, apart })
  }
  return [...best].map(([shot, { still }]) => ({ shot, still }))
}
