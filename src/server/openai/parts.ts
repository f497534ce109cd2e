import type { Workplace } from '../../app/serve/workplace.ts'
import type { Evidence } from '../../core/evidence.ts'

export interface ModelParts extends Omit<Workplace, 'close'> {
  link(video: string, row: Pick<Evidence, 'id' | 'span'>): string // to the moment on the page
}
