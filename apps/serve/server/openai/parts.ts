import type { Evidence } from '../../../../src/core/evidence.ts'
import type { JobLane } from '../../work/jobs/lane.ts'
import type { Workplace } from '../../work/workplace.ts'

export interface ModelParts extends Omit<Workplace, 'close'> {
  following: JobLane // one at a time chooses the session that it goes on in
  link(video: string, row: Pick<Evidence, 'id' | 'span'>): string // to the moment on the page
}
