import { groupBy } from '../../../src/core/basics/group-by.ts'
import type { ItemCheck } from '../item.ts'
import { byId, eachItem } from './parts/verdicts.ts'
import { holdsPhrase, isYesNo, normaliseText } from './parts/words.ts'

// K14. A question that holds its own answer goes; one whose answer stands in another question of the video is shown to people.
export const leak: ItemCheck = {
  k: 14,
  name: 'leak',
  run(items) {
    const byVideo = groupBy(byId(items), item => item.video)
    return eachItem(items, item => {
      if (isYesNo(item.answer)) return undefined
      if (holdsPhrase(item.question, item.answer)) return `its question holds the answer "${item.answer}"`
      if (/^\d?$/.test(normaliseText(item.answer))) return undefined // a number below ten stands in too many questions
      const other = byVideo.get(item.video)?.find(one => one.id !== item.id && holdsPhrase(one.question, item.answer))
      return other && { outcome: 'flag', detail: `its answer "${item.answer}" stands in the question ${other.id}` }
    })
  },
}
