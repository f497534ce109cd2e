import type { ItemCheck } from '../item.ts'
import { eachItem } from './parts/verdicts.ts'

// K17. What is held out, as a question or as a video, is in no set.
export const heldOut: ItemCheck = {
  k: 17,
  name: 'held out',
  run(items, { rules }) {
    const excluded = new Set(rules?.excluded)
    return eachItem(items, ({ id, video }) => {
      const excludedName = [id, video].find(one => excluded.has(one))
      return excludedName && `${excludedName} is held out`
    })
  },
}
