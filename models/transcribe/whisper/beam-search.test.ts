import { expect, test } from 'vitest'
import { searchBeams } from './beam-search.ts'
import type { Decoder } from './decoder.ts'
import { writeWindows } from './write-windows.ts'

// Words are 0 to 7, 8 ends a text, 10 to 12 are times. Of the two words that may begin, the likelier leads nowhere: after it every word
// is as likely as another. The other one has a sure end.
const [likelier, better, sequel, end, start, stop] = [0, 1, 2, 8, 10, 11]
const vocabulary = 13
const rules = { begin: 10, noTimestamps: 9, end, suppress: [], suppressFirst: [] }
const writing = { prompt: [3], start: 0, rules, maxTokens: 12, heads: [], temperature: 0, seed: 0 }

function next(text: readonly number[]): Map<number, number> {
  const last = text.at(-1)
  if (last === undefined) return new Map([[start, 1]])
  if (last === start)
    return new Map([
      [likelier, 0.55],
      [better, 0.45],
    ])
  if (last === stop) return new Map([[end, 1]])
  if (last === better) return new Map([[sequel, 1]])
  if (last === sequel) return new Map([[stop, 1]])
  return text.length > 3 ? new Map([[stop, 1]]) : new Map(Array.from({ length: 8 }, (_, word) => [word, 0.125]))
}

// A decoder that knows what each of its rows has written.
function scripted() {
  let texts: number[][] = []
  const widths: number[] = []
  const step = () => {
    widths.push(texts.length)
    const logits = new Float32Array(texts.length * vocabulary).fill(-30)
    texts.forEach((text, row) => {
      for (const [token, share] of next(text)) logits[row * vocabulary + token] = Math.log(share)
    })
    return { logits, width: vocabulary, vocabulary, attention: new Map() }
  }
  const decoder = {
    async begin() {
      texts = [[]]
      return step()
    },
    async select(rows: number[]) {
      texts = rows.map(row => [...texts[row]!])
    },
    async next(tokens: number[]) {
      texts.forEach((text, row) => {
        text.push(tokens[row]!)
      })
      return step()
    },
  }
  return { decoder: decoder as unknown as Decoder, widths }
}
const hidden = { dims: [1] } as never
const never = () => false

test('the likeliest text is found where the likeliest word leads astray', async () => {
  const [greedy] = await writeWindows(scripted().decoder, hidden, writing, never)
  expect(greedy?.tokens[1]).toBe(likelier)
  const { decoder, widths } = scripted()
  const found = await searchBeams(decoder, hidden, writing, 3, never)
  expect(found.tokens).toEqual([start, better, sequel, stop])
  expect(found.probabilities.map(share => Math.round(share * 100))).toEqual([100, 45, 100, 100])
  expect(Math.max(...widths)).toBe(3)
})

test('a text that does not end is cut at the room that it has, and a search can be stopped', async () => {
  const { tokens } = await searchBeams(scripted().decoder, hidden, { ...writing, maxTokens: 2 }, 3, never)
  expect(tokens).toHaveLength(2)
  await expect(searchBeams(scripted().decoder, hidden, writing, 3, () => true)).rejects.toThrow('cancelled')
})
