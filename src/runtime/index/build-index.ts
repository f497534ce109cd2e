import { need, speechTrack } from '../../../tools/stages/results.ts'
import { memoryBound } from '../../core/machine/memory.ts'
import { type HeldLock, withLock } from '../../store/lock.ts'
import type { ContentWork } from './content/compare.ts'
import { type ContentGuard, guardContent } from './content/guard.ts'
import { finder, type IndexedVideo, type IndexWork, openStageReader, readIndexedVideo } from './find-index.ts'
import { lostStages, type Planned, planStages, planSubtitles } from './plan-stages.ts'
import { preprocess, stageNews } from './preprocess.ts'
import { refuseBound } from './stage-memory.ts'
import { stageRunner } from './stage-runner.ts'

// Makes what is missing of an index, one process at a time.
export function buildIndex(work: IndexWork, content: ContentWork): Promise<IndexedVideo> {
  const { folder, watch, signal } = work
  const onWait = (said: string | undefined) =>
    watch({
      type: 'stage',
      stage: 'lock',
      state: 'waiting',
      note: `another longtake works on this video${said ? `: ${said}` : ''}`,
    })
  return withLock(folder, held => guarded(work, held, content), { signal, onWait })
}

// No result is published that may be of a file which changed on the way.
async function guarded(work: IndexWork, held: HeldLock, content: ContentWork): Promise<IndexedVideo> {
  const guard = await guardContent(work.video, work.folder, content)
  try {
    const indexed = await build(work, held, guard)
    await guard.finish()
    return indexed
  } finally {
    guard.stop()
  }
}

async function build(work: IndexWork, held: HeldLock, { check }: ContentGuard): Promise<IndexedVideo> {
  const { video, models, settings, changes, signal } = work
  const { results, reports, run } = stageRunner({ ...work, check }, held)
  const result = openStageReader(results)

  const subtitles = await planSubtitles(video, models, settings)
  const { news } = stageNews([], signal)
  if (subtitles.skip === undefined) await run(subtitles, { plan: [subtitles], news, outcomes: {}, without: [] }, signal)
  const cues = result('subtitles')
  const subtitled = cues !== undefined && (await speechTrack(cues)) !== undefined
  const plan = await planStages(video, models, settings, subtitled, changes)
  if (memoryBound()) await refuseBound(await missing(work, plan), work)

  const rest = plan.filter(({ stage }) => stage !== subtitles.stage)
  await preprocess(
    rest.filter(({ change }) => !change).map(({ how }) => how),
    async ({ name }, news, outcomes, signal) => {
      const after = { plan, news, outcomes, without: lostStages(plan, name, outcomes) }
      const [first, changed] = rest.filter(({ stage }) => stage === name)
      const outcome = await run(need(first), after, signal)
      return changed && outcome.state !== 'failed' ? run(changed, after, signal) : outcome
    },
    signal,
  )
  return readIndexedVideo(video, results, reports)
}

async function missing(work: IndexWork, plan: readonly Planned[]): Promise<Planned[]> {
  const find = finder(work)
  const missingStages = await Promise.all(
    plan.map(async planned => (planned.skip === undefined && !(await find(planned)) ? [planned] : [])),
  )
  return missingStages.flat()
}
