import { splitItems } from '../../../../src/text/question/items.ts'
import { parseTopic } from '../../../../src/text/question/topic.ts'
import { byFirstTime, placeItems } from '../answers/order.ts'
import { isInformative, topicShare } from '../match.ts'
import { isOnTracks } from '../question-parts.ts'
import type { ScoreOptions } from './fixed.ts'

// "A -> B -> C": the option whose items occur in the order it names.
export const bySequence: ScoreOptions = (asked, options, brief) => {
  const sequences = options.map(splitItems)
  const named = asked.kind === 'order' || /\border\b|\bsequence\b/i.test(asked.text)
  if (!named || sequences.some(items => items.length < 2)) return undefined
  const scored = sequences.map(items => {
    const placed = placeItems(items, asked, brief.evidence)
    let right = 0
    let pairs = 0
    for (const [i, one] of placed.entries())
      for (const other of placed.slice(i + 1)) {
        pairs++
        if (!one.row || !other.row) continue
        const order = byFirstTime(one, other)
        right += order < 0 ? 1 : order === 0 ? 0.5 : 0
      }
    return { score: pairs === 0 ? 0 : right / pairs, rows: placed.flatMap(one => (one.row ? [one.row] : [])) }
  })
  return scored.some(one => one.rows.length > 1) ? scored : undefined
}

// "Which comes first?" with one item in each option.
export const byFirst: ScoreOptions = (asked, options, brief) => {
  const match = /\b(?:which|what|who)\b.*\b(first|earliest|last|latest)\b/i.exec(asked.text)
  if (!match || asked.nth === undefined) return undefined
  if (asked.anchor || asked.unit === 'slide' || asked.topic.terms.length > 3) return undefined
  const placed = placeItems(options, asked, brief.evidence)
  const sorted = placed.filter(one => one.row !== undefined).sort(byFirstTime)
  if (sorted.length < 2) return undefined
  if (/last|latest/i.test(match[1] ?? '')) sorted.reverse()
  return placed.map(one => ({
    score: one.row ? 1 - sorted.indexOf(one) / sorted.length : 0,
    rows: one.row ? [one.row] : [],
  }))
}

// Options that each list several items: the one with the most items in the video.
export const bySet: ScoreOptions = (asked, options, brief) => {
  const sets = options.map(splitItems)
  if (asked.kind === 'order' || sets.some(items => items.length < 3)) return undefined
  const rows = brief.evidence.filter(row => isInformative(row) && isOnTracks(asked, row))
  const placeByItem = new Map(
    sets.flat().map(item => {
      const topic = parseTopic(`"${item}"`)
      return [item, rows.find(row => topicShare(topic, row.text, row.track) >= 0.75)]
    }),
  )
  return sets.map(items => {
    const rows = items.flatMap(item => placeByItem.get(item) ?? [])
    return { score: rows.length / items.length, rows }
  })
}
