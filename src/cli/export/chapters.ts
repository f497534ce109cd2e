import { formatTime } from '../../core/time.ts'
import type { Overview } from '../../core/video.ts'
import { oneLine } from '../sanitise.ts'

// "0:00 Title", one line each: the form that video pages and players read from a description.
export function chapters(overview: Overview): string {
  return overview.chapters.map(({ span, title }) => `${formatTime(span.start)} ${oneLine(title)}\n`).join('')
}
