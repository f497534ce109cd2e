import type { JobLane } from '../../app/serve/jobs/lane.ts'
import type { Workplace } from '../../app/serve/workplace.ts'
import type { Evidence } from '../../core/evidence.ts'

export interface ModelParts extends Omit<Workplace, 'close'> {
  following: JobLane // one at a time chooses the session that it goes on in
  link(video: string, row: Pick<Evidence, 'id' | 'span'>): string // to the moment on the page
}
