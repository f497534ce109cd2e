import { expect, test } from 'vitest'
import { toCatalogue } from '../../apps/cluster/jobs/plan-from-rows.ts'
import {
  jobId,
  type KnownStages,
  planEitherWay,
  planVideo,
  queueName,
  stageRank,
} from '../../apps/cluster/jobs/plan-video.ts'
import { Config } from '../../src/config/schema.ts'
import type { Video } from '../../src/core/video.ts'
import { type Keyed, lostStages, type Planned, planStages, withoutKey } from '../../src/runtime/index/plan-stages.ts'
import { type Outcomes, preprocess } from '../../src/runtime/index/preprocess.ts'
import { Models } from '../../src/runtime/models/models.ts'

const host = { folder: '', environment: {}, signal: new AbortController().signal, say() {} }
const video: Video = {
  ...{ id: 'v00000000000000000000', path: '/videos/talk.mp4', name: 'talk.mp4', bytes: 1, container: 'mp4' },
  ...{ start: 0, duration: 60, otherSounds: [], sidecars: [], notes: [] },
  picture: { index: 0, codec: 'h264', width: 320, height: 180, start: 0, rotation: 0, hdr: false },
  sound: { index: 1, codec: 'aac', channels: 1, sampleRate: 16_000, start: 0 },
  subtitles: [{ index: 2, codec: 'subrip' }],
}
const { index, models } = Config.parse({
  models: { embedText: { backend: 'openai', model: 'm' }, speakers: { backend: 'off' } },
})
const planOf = (subtitled: boolean) => planStages(video, new Models(models, host), index, subtitled)

// What one machine ends with where these tracks fail: the key of every stage that it makes.
async function oneMachine(plan: readonly Planned[], failing: ReadonlySet<string>): Promise<Record<string, string>> {
  const keys: Record<string, string> = {}
  const run = async ({ name }: { name: string }, _: unknown, outcomes: Outcomes) => {
    const planned = plan.find(({ stage }) => stage === name) as Planned
    if (planned.skip !== undefined) return { state: 'skipped' as const, note: planned.skip }
    if (failing.has(name)) return { state: 'failed' as const }
    const key = withoutKey(planned.key, lostStages(plan, name, outcomes))
    keys[name] = key
    return { state: 'done' as const, key }
  }
  await preprocess(
    plan.map(({ how }) => how),
    run,
    host.signal,
  )
  return keys
}

interface State {
  done: ReadonlyMap<string, string>
  failed: ReadonlySet<string>
}

function known({ done, failed }: State): KnownStages {
  return {
    finished: (stage, key) => done.get(stage) === key,
    failure: stage => (failed.has(stage) ? { why: 'the model broke', leavesOut: true } : undefined),
  }
}

// Every state that jobs, ended in any order, can leave behind.
function reachable(plan: readonly Planned[], failing: ReadonlySet<string>): State[] {
  const found = new Map<string, State>()
  const visit = (state: State) => {
    const name = JSON.stringify([[...state.done].sort(), [...state.failed].sort()])
    if (found.has(name)) return
    found.set(name, state)
    for (const { planned, key } of planVideo(plan, known(state)).jobs)
      visit(
        failing.has(planned.stage)
          ? { ...state, failed: new Set([...state.failed, planned.stage]) }
          : { ...state, done: new Map([...state.done, [planned.stage, key]]) },
      )
  }
  visit({ done: new Map(), failed: new Set() })
  return [...found.values()]
}

function subsetsOf(names: readonly string[]): Set<string>[] {
  return Array.from({ length: 2 ** names.length }, (_, bits) => new Set(names.filter((_, at) => bits & (2 ** at))))
}

test('in whatever order jobs end and whichever fail, each is planned once its inputs are there, and the keys are those of one machine', async () => {
  let states = 0
  for (const subtitled of [false, true]) {
    const plan = await planOf(subtitled)
    const mayFail = plan.filter(one => one.skip === undefined && one.how.mayFail).map(({ stage }) => stage)
    expect(mayFail.length).toBeGreaterThan(3)
    for (const failing of subsetsOf(mayFail)) {
      const ends: State[] = []
      for (const state of reachable(plan, failing)) {
        states++
        const { jobs, outcomes, state: is } = planVideo(plan, known(state))
        for (const { planned } of jobs) {
          expect(state.done.has(planned.stage) || state.failed.has(planned.stage)).toBe(false)
          for (const source of planned.how.after)
            if (plan.some(({ stage }) => stage === source)) expect(outcomes[source]).toBeDefined()
        }
        if (is === 'done') ends.push(state)
        else expect(jobs.length).toBeGreaterThan(0)
      }
      expect(ends.length).toBe(1) // whatever the order
      expect(Object.fromEntries(ends[0]!.done)).toEqual(await oneMachine(plan, failing))
    }
  }
  expect(states).toBeGreaterThan(1000)
})

test('any set of results, however it came about, is planned from: what is there is not made again, what lacks its inputs waits', async () => {
  const plan = (await planOf(false)).filter((one): one is Keyed => one.skip === undefined)
  for (const there of subsetsOf(plan.map(({ stage }) => stage))) {
    const done = new Map(plan.flatMap(({ stage, key }) => (there.has(stage) ? [[stage, key] as const] : [])))
    const { jobs } = planVideo(await planOf(false), known({ done, failed: new Set() }))
    for (const { planned } of jobs) {
      expect(there.has(planned.stage)).toBe(false)
      for (const source of planned.how.after)
        expect(there.has(source) || !plan.some(({ stage }) => stage === source)).toBe(true)
    }
  }
})

test('a stage that the index needs and that fails ends the video and says why', async () => {
  const plan = await planOf(false)
  const failed = planVideo(plan, known({ done: new Map(), failed: new Set(['decode']) }))
  expect(failed).toMatchObject({ state: 'failed', jobs: [], why: 'decode: the model broke' })
})

test('before it is known whether there are subtitles, only what is the same either way is planned', async () => {
  const plans = [await planOf(false), await planOf(true)]
  const { state, jobs } = planEitherWay(plans, known({ done: new Map(), failed: new Set() }))
  expect([state, jobs.map(({ planned }) => planned.stage).sort()]).toEqual(['open', ['decode', 'subtitles']])
  const both = plans.map(plan => plan.find(({ stage }) => stage === 'decode') as Keyed)
  const later = planEitherWay(plans, known({ done: new Map([['decode', both[0]!.key]]), failed: new Set() }))
  expect(later.jobs.map(({ planned }) => planned.stage).sort()).toEqual(['sounds', 'subtitles', 'text', 'vectors'])
})

test('the same work has one name, and a queue is the stage with its backend and version', async () => {
  const decode = (await planOf(false)).find(({ stage }) => stage === 'decode') as Keyed
  const data = { kind: 'stage', video: 'v1', stage: 'decode', key: decode.key, config: 'a' } as const
  expect(jobId(data)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  expect(jobId({ ...data, config: 'b' })).toBe(jobId(data))
  expect(jobId({ ...data, key: 'other' })).not.toBe(jobId(data))
  expect(queueName(decode)).toMatch(/^decode\.shots-[a-z-]+\.[0-9a-f]{8}$/)
})

test('jobs, queues and rows of a stage that got another name are those of its first one', async () => {
  const fullText = (await planOf(false)).find(({ stage }) => stage === 'full-text') as Keyed
  expect(queueName(fullText)).toMatch(/^words\.search-fts5\.[0-9a-f]{8}$/)
  const data = { kind: 'stage', video: 'v1', key: fullText.key, config: 'a' } as const
  expect(jobId({ ...data, stage: 'full-text' })).toBe(jobId({ ...data, stage: 'words' }))
  const catalogue = toCatalogue([{ stage: 'words', key: fullText.key }], [])
  expect(catalogue.finished('full-text', fullText.key)).toBe(true)
})

test('what is made of rows goes before tracks, and these before what reads the file', async () => {
  const plan = await planOf(false)
  const rank = (name: string) => stageRank(plan.find(({ stage }) => stage === name)!.how)
  expect(
    ['decode', 'subtitles', 'text', 'speech', 'overview', 'full-text', 'vector-index', 'text-vectors'].map(rank),
  ).toEqual([1, 1, 2, 2, 3, 3, 3, 3])
})
