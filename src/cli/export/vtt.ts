import type { Evidence } from '../../core/evidence.ts'
import { clock, cuesOf } from './cues.ts'

export function vtt(rows: readonly Evidence[]): string {
  const cues = cuesOf(rows).map(({ start, end, lines, speaker }) => {
    const text = escaped(lines.join('\n'))
    return `${clock(start, '.')} --> ${clock(end, '.')}\n${speaker ? `<v ${escaped(speaker)}>` : ''}${text}\n`
  })
  return ['WEBVTT\n', ...cues].join('\n')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
