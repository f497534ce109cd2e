import { absentAs } from '../../../src/core/errors.ts'
import { collectGarbage, memoryBound } from '../../../src/core/machine/memory.ts'
import type { StageContext, StageInput } from '../../../src/core/stage.ts'
import type { Frame, Shot, Still } from '../../../src/core/video.ts'
import { fittingSize } from '../../../src/media/ffmpeg/filters.ts'
import { earlyStills } from '../early.ts'
import { openJournal } from '../journal.ts'
import { need, openStills, type StillFile, shotList, stillList } from '../results.ts'

interface StillWork<T> {
  size: number // of a group; smaller where memory is bound
  atOnce?: () => number | undefined // in its place where the backend says: then one group is begun while another is worked on
  chooser?: () => (still: Still) => boolean
  isRepeat?(still: Still): boolean // looks like the still before it and takes its result
  work(frames: Frame[]): Promise<T[]> // one result for each frame
  made?(still: Still, result: T): Promise<void> // called for each still in turn
}

// Gives every still of the decode stage to `work` once, in groups: first those that come while it still decodes, then what is missing. A
// still is known by its place in the file: its number may still change, since stills for shots that had none come at the end. What a
// run before this one made is taken from the journal. Returns the final list, and what was made by place in the file.
export async function overStills<T>(
  context: StageContext,
  {
    size,
    atOnce = () => undefined,
    chooser = () => () => true,
    isRepeat = () => false,
    work,
    made: hear,
  }: StillWork<T>,
): Promise<{ stills: Still[]; shots: Shot[]; made: Map<number, T> }> {
  const { signal, video } = context
  const groupSize = () => stillsAtOnce(Math.max(size, atOnce() ?? 0))
  const resultsByTime = new Map<number, T>()
  const journal = await openJournal<T>(context.out.parts)
  let file: StillFile | undefined
  let latest: { time: number; result: T } | undefined
  // Where an ablation leaves some stills, the one before may be gone.
  const isRepeated = (still: Still) => !context.keepsStill && isRepeat(still)
  const begin = async (fresh: Still[], from: StillFile) =>
    fresh.length > 0 ? work(await Promise.all(fresh.map(still => from.frame(still)))) : []
  const finish = async (group: Still[], fresh: Still[], results: T[]) => {
    if (fresh.length > 0) {
      context.progress(fresh.at(-1)?.time ?? 0, video.duration)
      if (memoryBound()) collectGarbage() // frames hardly count in V8's own heap, so it lets them pile up
      await journal.add(fresh.map((still, at) => [buildKey(still), results[at] as T]))
    }
    for (const still of group) {
      const result = isRepeated(still) ? (latest?.result as T) : (journal.made(buildKey(still)) as T)
      if (still.time > (latest?.time ?? -1)) latest = { time: still.time, result } // those of short shots come late
      resultsByTime.set(still.offset, result)
      await hear?.(still, result)
    }
  }
  // Groups are finished in turn. Where the backend takes the next one meanwhile, its stills are decoded and prepared.
  let last = Promise.resolve()
  let working: Promise<T[]> | undefined
  const take = async (group: Still[], from: StillFile) => {
    signal.throwIfAborted()
    const before = last
    const fresh = group.filter(still => !isRepeated(still) && journal.made(buildKey(still)) === undefined)
    const results = begin(fresh, from)
    working = results
    last = before.then(async () => finish(group, fresh, await results))
    for (const pending of [results, last]) pending.catch(() => {}) // handled where they are awaited
    await (atOnce() === undefined || memoryBound() ? last : before)
  }
  try {
    for await (const group of comingStills(context, groupSize, chooser())) {
      file ??= await openStills(group.file).catch(absentAs(undefined)) // gone as soon as the stage is whole
      if (!file) break
      await take(group.stills, file)
    }
    await context.pipeline.done('decode')
    signal.throwIfAborted()
    const decode = need(context.results.result('decode'))
    file ??= await openStills(decode.path('stills.bin'))
    const stills = (await stillList(decode, context.keepsStill)).filter(chooser())
    await last
    const missing = stills.filter(still => !resultsByTime.has(still.offset))
    while (missing.length > 0) await take(missing.splice(0, groupSize()), file)
    await last
    return { stills, shots: await shotList(decode), made: resultsByTime }
  } finally {
    await Promise.allSettled([last, working])
    await journal.close()
    await file?.close()
  }
}

// Whole groups of those that were kept so far, in the order of time. Where an ablation chooses among the stills, none.
async function* comingStills(
  { pipeline: { subscribe }, keepsStill }: StageContext,
  size: () => number,
  wanted: (still: Still) => boolean,
) {
  if (keepsStill) return
  let stills: Still[] = []
  for await (const news of subscribe(earlyStills)) {
    for (const still of news.stills) {
      if (wanted(still)) stills.push(still)
      if (stills.length < size()) continue
      yield { stills, file: news.file }
      stills = []
    }
  }
}

// How many stills are worked on in one go: few where memory is bound.
function stillsAtOnce(usual: number): number {
  return memoryBound() ? Math.min(usual, 2) : usual
}

// A still of the same place, length and time is the same one: decoding a file again gives the same bytes.
function buildKey({ offset, length, time }: Still): string {
  return `${offset} ${length} ${time}`
}

// What a stage over stills takes besides its backend, MB. `enlarged`: the width that small ones are enlarged to.
export function pictureMegabytes(
  { video: { picture }, settings }: Pick<StageInput, 'video' | 'settings'>,
  enlarged?: number,
): number {
  if (!picture) return 25
  const { width, height } = fittingSize(picture, settings.stillWidth)
  const frame = (width * height * 3) / 1e6
  // A frame as it is decoded, as it is copied, and made smaller or larger.
  const larger = enlarged ? Math.max(1, enlarged / width) ** 2 : 1
  return 70 + stillsAtOnce(16) * frame * 3 * larger
}
