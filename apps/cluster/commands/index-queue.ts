import type { Call } from '../../../src/cli/call.ts'
import type { CommandRun } from '../../../src/cli/command.ts'
import { concludeIndexing } from '../../../src/cli/commands/index.ts'
import { listVideos } from '../../../src/cli/named-videos.ts'
import { result, watching } from '../../../src/cli/output.ts'
import type { IndexOutcome } from '../../../src/cli/show/index-lines.ts'
import type { Watch } from '../../../src/core/agent.ts'
import { InterruptedError, LongtakeError, UsageError } from '../../../src/core/errors.ts'
import type { Video } from '../../../src/core/video.ts'
import { countPhrase } from '../../../src/core/words/counted.ts'
import { visibleFileName } from '../../../src/core/words/visible-text.ts'
import type { Queueing } from '../jobs/queue-videos.ts'

// Has the videos indexed by the workers of the cluster. Returns nothing with --detach, which does not wait for them.
export async function indexOnQueue(call: Call): Promise<{ profile: string; outcomes: IndexOutcome[] } | undefined> {
  const { withCluster } = await import('./with-cluster.ts')
  const { queuedVideo, queueVideos } = await import('../jobs/queue-videos.ts')
  const { isBucketAddress } = await import('../store/s3/address.ts')
  const { profile, ...chosen } = await chosenSettings(call)
  return withCluster(call, async cluster => {
    const { signal } = call
    const queueWork = { cluster, ...chosen, signal, upload: call.has('--upload') }
    const outcomes: IndexOutcome[] = []
    const videos: Video[] = []
    for (const argument of call.arguments)
      for (const path of isBucketAddress(argument) ? [argument] : await listVideos(call, argument)) {
        try {
          videos.push(await watching(call, watch => queuedVideo(path, { ...queueWork, watch })))
        } catch (error) {
          if (error instanceof UsageError || !(error instanceof LongtakeError) || call.signal.aborted) throw error
          if (call.arguments.length > 1) call.terminal.say(`error: ${visibleFileName(error.message)}`)
          outcomes.push({ path, error })
        }
      }
    if (videos.length === 0) return { profile, outcomes }
    const watch: Watch = event => event.type === 'note' && call.remark(event.text)
    const id = await queueVideos(videos, readPriority(call), { ...queueWork, watch })
    if (call.has('--detach')) {
      const lines = [`Request ${id}: ${countPhrase(videos.length, 'video')}.`]
      result(call, { request: id, videos: videos.map(video => video.id) }, [...lines, `longtake cluster follow ${id}`])
      return undefined
    }
    call.remark(`Request ${id}. It goes on without this command: longtake cluster follow ${id}`)
    return { profile, outcomes: [...outcomes, ...(await awaitRequest(call, id, queueWork, profile))] }
  })
}

// What has become of a request, once it has ended.
async function awaitRequest(
  call: Call,
  id: string,
  work: Omit<Queueing, 'watch'>,
  profile: string,
): Promise<IndexOutcome[]> {
  const { followRequest } = await import('../jobs/follow.ts')
  const { requestOutcomes } = await import('../jobs/report.ts')
  const { traceRequest } = await import('../observe/trace-ended.ts')
  const { database: sql } = work.cluster
  const { signal } = work
  try {
    return await watching(call, async (watch: Watch) => {
      const request = await followRequest({ sql, id, watch, signal })
      await traceRequest(call.world.traces, sql, request.id)
      return requestOutcomes(request, { ...work, watch }, profile)
    })
  } catch (error) {
    if (!signal.aborted) throw error
    throw new InterruptedError('Stopped while following.', {
      cause: error,
      hint: `The request goes on: longtake cluster follow ${id}. It ends with: longtake cluster cancel ${id}`,
    })
  }
}

// Goes on where a command with --queue has left its request, on whatever machine.
const follow: CommandRun = async call => {
  const { withCluster } = await import('./with-cluster.ts')
  const { requireRequest } = await import('../jobs/follow.ts')
  const { profile, ...chosen } = await chosenSettings(call)
  return withCluster(call, async cluster => {
    const { id } = await requireRequest(cluster.database, call.argument())
    const outcomes = await awaitRequest(call, id, { cluster, ...chosen, signal: call.signal }, profile)
    return concludeIndexing(call, profile, outcomes)
  })
}

export const clusterFollowCommands = { follow }

// The settings with the models that are chosen here, once for all machines.
export async function chosenSettings(call: Call) {
  const { chooseModels } = await import('../../../src/runtime/models/choose/choose-models.ts')
  const { buildHost } = await import('../../../src/runtime/models/host.ts')
  const { openLibrary } = await import('../../../src/store/library/library.ts')
  const callHost = await call.host()
  const host = buildHost(callHost)
  const { config, profile } = await chooseModels(await call.settings(), host)
  call.remark(`Profile ${profile.name}: ${profile.why.replace(/\.$/, '')}.`)
  return { settings: config.settings, profile: profile.name, host, library: openLibrary(callHost.home) }
}

export function readPriority(call: Call): 'low' | 'normal' | 'high' {
  const priority = call.text('--priority')
  return priority === 'low' || priority === 'high' ? priority : 'normal'
}
