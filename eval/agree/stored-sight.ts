import { BackendError, UsageError } from '../../src/core/errors.ts'
import type { Video } from '../../src/core/video.ts'
import { localFile } from '../../src/media/file/local-file.ts'
import { probe } from '../../src/media/probe/probe.ts'
import type { BenchWorld } from '../bench-world.ts'
import type { AskedBy } from '../data/asked-by.ts'
import type { Sample } from '../data/sample.ts'
import type { OpenedJudge } from '../judges/open-judges.ts'
import { isSeeing, type JudgeSight } from '../protocols/judge/protocol.ts'
import { type PictureSize, shownWidth } from '../protocols/picture-size.ts'
import { subtitleText } from '../protocols/subtitles.ts'
import { agentWidth, judgeSight } from '../runner/ask/judge-sight.ts'
import { type Finders, findBenchFiles } from '../runner/find-files.ts'
import { toAsk } from './judge-again.ts'
import type { JudgedRun } from './judged-run.ts'

export type StoredSight = (sample: Sample) => Promise<JudgeSight>

interface Looks {
  runs: readonly JudgedRun[]
  judges: readonly OpenedJudge[]
  repeat?: number
  limit?: number
  dryRun?: boolean // nothing is unpacked
}

// The videos of runs for judges of their stored answers, as the runs' own judges saw them. A judge that always looks needs those of
// all answers that it will be asked about; without its video an answer that has to be looked at has no verdict.
export async function storedSights(
  { runs, judges, dryRun, ...which }: Looks,
  world: BenchWorld,
): Promise<(run: JudgedRun) => StoredSight | undefined> {
  const looking = judges.filter(judge => mayLook(judge))
  const sights = new Map<JudgedRun, StoredSight>()
  for (const run of looking.length > 0 ? runs : []) {
    const { benchmark, answers } = run
    const samples = answers.map(({ sample }) => sample)
    const request = { ...run.run, tasks: [benchmark.judge.task], dryRun }
    const files = await findBenchFiles(request, benchmark, samples, { blind: false, looksBeside: false }, world)
    await refuseUnseen(
      run,
      looking.filter(({ mode }) => isSeeing(mode)),
      which,
      files,
    )
    const { by, options } = run.run
    sights.set(run, findStoredSight(files, { by, picture: options.picture as PictureSize | undefined }, world.signal))
  }
  return run => sights.get(run)
}

export function mayLook({ service, mode }: Pick<OpenedJudge, 'service' | 'mode'>): boolean {
  return service.name !== 'words' && service.protocol.modes !== undefined && mode !== 'text'
}

async function refuseUnseen(
  run: JudgedRun,
  judges: readonly OpenedJudge[],
  { repeat = 1, limit }: Pick<Looks, 'repeat' | 'limit'>,
  { find }: Finders,
): Promise<void> {
  const names = new Set<string>()
  for (const judge of judges)
    for (let time = 1; time <= repeat; time++)
      for (const { sample } of await toAsk({ run, judge, repeat: time, limit })) names.add(sampleVideo(sample))
  const missing = missingIn(names, find)
  if (missing.length === 0) return
  const more = missing.length > 5 ? ', ...' : ''
  throw new UsageError(
    `${missing.length} of ${names.size} videos of ${run.name} that the judge must see are not there: ${missing.slice(0, 5).join(', ')}${more}.`,
    { hint: 'Name their folder with --videos, that of the data with --data, or use --judge-mode text.' },
  )
}

export function missingIn(names: Iterable<string>, find: Finders['find']): string[] {
  return [...new Set(names)].filter(name => {
    const videoFile = find(name)
    return 'fault' in videoFile && videoFile.packed !== true
  })
}

// Frames as wide as the judge of those who were asked sees them in a run.
export function findStoredSight(
  { find, findSubtitles }: Finders,
  { by, picture: size }: { by: AskedBy; picture?: PictureSize },
  signal: AbortSignal,
): StoredSight {
  const opened = new Map<string, Promise<Video>>()
  return async sample => {
    const sampleFile = find(sampleVideo(sample))
    if ('fault' in sampleFile) throw new BackendError(sampleFile.fault)
    const video = opened.get(sampleFile.path) ?? localFile(sampleFile.path).then(({ path }) => probe(path))
    opened.set(sampleFile.path, video)
    const { picture } = await video
    if (!picture) throw new BackendError(`${sampleVideo(sample)} has no picture to look at.`)
    const named = sample.cut ? sample.cut.subtitles : sample.subtitles
    const file = named === undefined ? undefined : findSubtitles(named)
    return judgeSight(await video, {
      width: by === 'alone' ? shownWidth(picture, size) : agentWidth,
      subtitles: file && 'path' in file ? await subtitleText(file.path) : undefined,
      signal,
    })
  }
}

export function sampleVideo({ video, cut }: Sample): string {
  return cut?.video ?? video // the times of clues are those of the whole video
}
