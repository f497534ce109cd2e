import type { ForkSettings } from '../../../src/core/api/job.ts'
import { tryAnswering } from '../../../src/runtime/answering.ts'
import { openSessions } from '../../../src/runtime/ask/ask-in-session.ts'
import { createRuntime, type LocalRuntime } from '../../../src/runtime/runtime.ts'
import { openJobStore } from '../../../src/store/serve/jobs.ts'
import { openUploads, sweepUploads, type Uploads } from '../../../src/store/serve/uploads.ts'
import type { SessionStore } from '../../../src/store/sessions.ts'
import { answeringConfig } from './jobs/fork-settings.ts'
import { type Jobs, openJobs } from './jobs/jobs.ts'
import { type JobLane, lane } from './jobs/lane.ts'
import { type AllowedFolder, allowedFolders } from './videos/find-video.ts'
import { indexLister } from './videos/listed-index.ts'
import { openVideos } from './videos/open-videos.ts'
import type { ServedRuntime } from './videos/video-view.ts'

export interface WorkplaceOptions {
  runtime: LocalRuntime
  home: string
  environment: Readonly<Record<string, string | undefined>>
  program: readonly string[] // that starts longtake
  folders: readonly string[] // whose files can be added
  alone: boolean // refused beside another one that wants to be alone
}

// What every door of a server works with: the library, its jobs, its conversations.
export interface Workplace {
  served: ServedRuntime
  jobs: Jobs
  sessions: SessionStore
  uploads: Uploads
  folders: readonly AllowedFolder[]
  home: string
  pictures: JobLane // each decodes
  tryAnswering(settings: ForkSettings, signal: AbortSignal): ReturnType<typeof tryAnswering>
  close(): Promise<void> // what is under way stays on disk, to go on with
}

const decoding = 2 // requests for pictures at a time

export async function openWorkplace(options: WorkplaceOptions): Promise<Workplace> {
  const { runtime, home, environment, program, alone } = options
  const folders = await allowedFolders(options.folders)
  const stop = new AbortController()
  const open = openVideos(id => runtime.questions.openVideo(id, { signal: stop.signal }))
  const store = await openJobStore(home, { alone })
  const sessions = openSessions(home)
  const lanes = { asks: lane(runtime.settings.serve.asks), indexing: lane(1) }
  const { maxHours } = runtime.settings.index
  const uploads = checkedUploads(home, { gigabytes: runtime.settings.serve.uploadGigabytes, maxHours })
  if (alone) await sweepUploads(home) // another one may be receiving
  const { library, models, settings } = runtime
  const listed = indexLister({ library, models, settings: settings.index, signal: stop.signal })
  const jobs = await openJobs({ home, runtime, program, environment, store, sessions, open, listed, ...lanes })
  return {
    served: { runtime, open, isIndexing: jobs.isIndexing, signal: stop.signal, listed },
    jobs,
    sessions,
    uploads,
    folders,
    home,
    pictures: lane(decoding),
    async tryAnswering(settings, signal) {
      if (Object.keys(settings).length === 0) return tryAnswering(runtime, signal)
      const config = await answeringConfig(settings, runtime.settings)
      const other = await createRuntime({ home, environment, config, exceeded: () => {} })
      return tryAnswering(other, signal).finally(() => other.close())
    },
    async close() {
      stop.abort()
      await jobs.close()
      await open.close()
    },
  }
}

interface UploadSettings {
  gigabytes: number // one upload at most
  maxHours: number
}

const endings: Record<string, string> = { mov: 'mp4', matroska: 'mkv', mpegts: 'ts', mpeg: 'mpg', asf: 'wmv' }

// Uploads that were read as video or sound before they are kept.
function checkedUploads(home: string, { gigabytes, maxHours }: UploadSettings): Uploads {
  return openUploads(home, {
    maxBytes: gigabytes * 1e9,
    async inspect(path) {
      const { probe } = await import('../../../src/media/probe/probe.ts')
      const { container } = await probe(path, { maxHours })
      const [kind = ''] = /^[a-z0-9]{1,12}/.exec(container) ?? []
      return { ending: endings[kind] ?? (kind || 'media') }
    },
  })
}
