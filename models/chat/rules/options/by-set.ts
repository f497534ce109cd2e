import type { WriteBrief } from '../../../../src/core/brief.ts'
import type { Evidence } from '../../../../src/core/evidence.ts'
import type { Asked } from '../../../../src/text/question/asked.ts'
import { splitItems } from '../../../../src/text/question/items.ts'
import { topicOf } from '../../../../src/text/question/topic.ts'
import { held, isTelling } from '../match.ts'
import type { Scored } from './scored.ts'

// Options that list several things each: the one of whose things most are there.
export function bySet(asked: Asked, options: readonly string[], brief: WriteBrief): Scored[] | undefined {
  const sets = options.map(splitItems)
  if (asked.kind === 'order' || sets.some(items => items.length < 3)) return undefined
  const onTracks = brief.evidence.filter(
    row => isTelling(row) && (asked.tracks.length === 0 || asked.tracks.includes(row.track)),
  )
  const found = new Map<string, Evidence | undefined>()
  for (const item of new Set(sets.flat())) {
    const topic = topicOf(`"${item}"`)
    found.set(
      item,
      onTracks.find(row => held(topic, row.text, row.track) >= 0.75),
    )
  }
  return sets.map(items => {
    const rows = items.flatMap(item => found.get(item) ?? [])
    return { score: rows.length / items.length, rows }
  })
}
