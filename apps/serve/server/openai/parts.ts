import type { Evidence } from '../../../../src/core/evidence.ts'
import type { JobLane } from '../../work/jobs/lane.ts'
import type { Workplace } from '../../work/workplace.ts'

// To the moment of a row; one of a question over all videos says which video it is of.
export function linkIn({ link }: Pick<ModelParts, 'link'>, video: string) {
  return (row: Pick<Evidence, 'id' | 'span'> & { video?: unknown }): string => {
    const ofVideo = row.video as { id?: string } | undefined
    return link(ofVideo?.id ?? video, row)
  }
}

export interface ModelParts extends Omit<Workplace, 'close'> {
  following: JobLane // one at a time chooses the session that it goes on in
  link(video: string, row: Pick<Evidence, 'id' | 'span'>): string // to the moment on the page
}
