import { groupBy } from '../../../src/core/basics/group-by.ts'
import { dotProduct } from '../../../src/core/basics/numbers.ts'
import { tokens } from '../../../src/text/words.ts'
import type { DraftItem, ItemCheck } from '../item.ts'
import { byId, eachItem } from './parts/verdicts.ts'
import { capitalisedNames, isYesNo, jaccard, numberWords, plainWords } from './parts/words.ts'

const polarity = new Set(
  'before after first last not yes no never always earliest latest earlier later start end more less without until'.split(
    ' ',
  ),
)

// K13. Of questions on one video that say the same, the first by id stays. Whatever resembles an earlier one goes, also where that
// goes itself: only so does a stricter threshold leave a subset.
export const duplicates: ItemCheck = {
  k: 13,
  name: 'duplicates',
  async run(items, { embed, thresholds: { jaccard: share = 0.8, cosine: near = 0.95 } }) {
    const ordered = byId(items)
    const vectors = await embed?.(ordered.map(({ question }) => question))
    const sides = ordered.map((item, at) => ({ ...readSides(item), vector: vectors?.[at] }))
    const byVideo = groupBy(sides, ({ video }) => video)
    return eachItem(items, ({ id, video }) => {
      const list = byVideo.get(video) ?? []
      const self = list.find(one => one.id === id)
      const earlier = self && list.find(other => other.id < id && isSame(self, other, { share, near }))
      return earlier && `it says the same as ${earlier.id}`
    })
  },
}

interface Sides {
  id: string
  video: string
  words: ReadonlySet<string>
  left: ReadonlySet<string> // of "before" or "after", whose sides cannot change places
  answer: string
  marks: string // what must not differ: words of polarity and numbers
  names: readonly string[]
  vector?: Float32Array
}

function readSides({ id, video, question: text, answer }: DraftItem): Sides {
  const words = tokens(text).map(token => token.text)
  const [left = '', ...right] = text.split(/\b(?:before|after)\b/i)
  const marks = [...words.filter(word => polarity.has(word)), ...numberWords(text)]
  return {
    id,
    video,
    words: new Set(plainWords(text)),
    left: new Set(right.length > 0 ? plainWords(left) : []),
    marks: marks.toSorted().join(' '),
    names: capitalisedNames(text),
    answer: isYesNo(answer) ? answer.toLowerCase() : '',
  }
}

function isSame(a: Sides, b: Sides, { share, near }: { share: number; near: number }): boolean {
  if (a.marks !== b.marks || a.answer !== b.answer) return false
  if (a.left.size > 0 && jaccard(a.left, b.left) < share) return false
  if (a.names.some(name => !b.words.has(name)) || b.names.some(name => !a.words.has(name))) return false
  if (jaccard(a.words, b.words) >= share) return true
  return a.vector !== undefined && b.vector !== undefined && dotProduct(a.vector, b.vector) >= near
}
