import type { Evidence } from '../../core/evidence.ts'
import { clock, cuesOf } from './cues.ts'

export function srt(rows: readonly Evidence[]): string {
  return cuesOf(rows)
    .map(({ start, end, lines, speaker }, at) => {
      const text = speaker ? [`${speaker}: ${lines[0]}`, ...lines.slice(1)] : lines
      return `${at + 1}\n${clock(start, ',')} --> ${clock(end, ',')}\n${text.join('\n')}\n`
    })
    .join('\n')
}
