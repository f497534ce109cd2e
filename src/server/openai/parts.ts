import type { AllowedFolder } from '../../app/serve/find-video.ts'
import type { Jobs } from '../../app/serve/jobs.ts'
import type { Lane } from '../../app/serve/lane.ts'
import type { Served } from '../../app/serve/video-view.ts'
import type { Evidence } from '../../core/evidence.ts'
import type { SessionStore } from '../../store/sessions.ts'
import type { Uploads } from '../../store/uploads.ts'

export interface ModelParts {
  served: Served
  jobs: Jobs
  sessions: SessionStore
  following: Lane // one at a time chooses the session that it goes on in
  folders: readonly AllowedFolder[]
  home: string
  uploads: Uploads
  link(video: string, row: Pick<Evidence, 'id' | 'span'>): string // to the moment on the page
}
