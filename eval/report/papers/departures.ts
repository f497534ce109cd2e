import { countPhrase } from '../../../src/core/words/counted.ts'
import type { PublishedTable } from '../../benchmarks/published.ts'
import type { OwnResult } from './own-result.ts'

// In what a result differs from what a table measured, and whether its numbers may stand beside it at all.
export function departures(
  own: OwnResult,
  table: PublishedTable,
): { notes: string[]; grave: string[]; isComparable: boolean } {
  const grave = [...otherData(own, table), ...own.incomplete]
  const frameDepartures =
    own.isAlone && table.departs !== undefined && own.shown.frames !== 'video' ? [table.departs] : []
  const namedSettings = new Set(
    table.settings.flatMap(({ key }) => (key === 'variant' ? own.modeSets : (optionsIn[key] ?? []))),
  )
  const changed = own.changed.filter(text => !namedSettings.has(text.split(' ')[0] ?? ''))
  return {
    notes: [...grave, ...ofUnknownSize(own, table), ...own.differs, ...changed, ...frameDepartures],
    grave, // why it may not be compared
    isComparable: grave.length === 0,
  }
}

// What a column of a table says itself of a row.
const optionsIn: Record<string, readonly string[]> = {
  picture: ['picture'],
  sampling: ['sampling'],
  dontKnow: ['dontKnow'],
  metadata: ['metadata', 'titles'],
  video: ['frames', 'video'],
  subtitles: ['subtitles', 'subtitlesAt'],
}

function otherData({ benchmark, split, edition }: OwnResult, table: PublishedTable): string[] {
  if (benchmark !== table.benchmark) return [] // a column of another benchmark, whose split the table does not name
  if (split !== table.split) return [`${split ?? 'the data as given'}, not ${table.split}`]
  if (edition?.published === undefined || edition.found === edition.published) return []
  return [`${countPhrase(edition.found, 'record')}, the published ${table.split} has ${edition.published}`]
}

function ofUnknownSize({ benchmark, split, edition }: OwnResult, table: PublishedTable): string[] {
  if (benchmark !== table.benchmark || split !== table.split || !edition || edition.published !== undefined) return []
  return [`${countPhrase(edition.found, 'record')}; how many the published ${split} has is not known here`]
}
