import { shuffled } from '../../../data/deck.ts'
import { plainWords, wordCount } from '../../../make/checks/parts/words.ts'

export const dontKnow = "I don't know"
const tries = 400

// One entry of an ordered list, with the rows that tell it.
export interface Entry {
  text: string
  rows: string[]
  from?: number // seconds: where an outfit is first seen
}

export interface ListOptions {
  options: string[][] // the way out is an option of one entry
  right: number
}

export function joined(list: readonly string[]): string {
  return list.join(', ')
}

// Other orders of a list, none twice and none like the list itself; fewer where there are fewer.
export function otherOrders(list: readonly string[], count: number, random: () => number): string[][] {
  const found = new Map<string, string[]>()
  for (let at = 0; at < tries && found.size < count; at++) {
    const order = shuffled(list, random)
    if (joined(order) !== joined(list)) found.set(joined(order), order)
  }
  return [...found.values()]
}

// The right order among wrong ones and "I don't know"; undefined where there is no wrong one.
export function orderOptions(list: readonly string[], count: number, random: () => number): ListOptions | undefined {
  return withWrong(list, otherOrders(list, count - 2, random), random)
}

// Of what one person does: among wrong orders, a list of another person that is as long. In a third of the questions the
// wrong orders are those of the other list, so that the list which has most orders tells nothing.
export function personOptions(
  list: readonly string[],
  others: readonly (readonly string[])[],
  count: number,
  random: () => number,
  elsewhere: readonly (readonly string[])[] = [], // of other videos, where the others are too few
): ListOptions | undefined {
  const wrong = count - 2
  const near = sameLength(list, others, random)
  const isEnough = near.length >= (list.length === 1 ? wrong : 1)
  const foreign = isEnough ? near : [...near, ...sameLength(list, elsewhere, random, near)]
  const [other] = foreign
  if (!other) return orderOptions(list, count, random)
  if (list.length === 1) return withWrong(list, foreign.slice(0, wrong), random)
  const isOthers = random() < 1 / 3
  const own = otherOrders(list, isOthers ? 1 : wrong - 1, random)
  const theirs = isOthers ? [other, ...otherOrders(other, wrong - own.length - 1, random)] : [other]
  return withWrong(list, [...own, ...theirs].slice(0, wrong), random)
}

function withWrong(list: readonly string[], wrong: readonly string[][], random: () => number): ListOptions | undefined {
  if (list.length === 0 || wrong.length === 0) return undefined
  const right = [...list]
  const options = shuffled([right, ...wrong, [dontKnow]], random)
  return { options, right: options.indexOf(right) }
}

// The beginnings of other lists, as long as this one, about as many words, and of other entries.
function sameLength(
  list: readonly string[],
  others: readonly (readonly string[])[],
  random: () => number,
  taken: readonly (readonly string[])[] = [],
): string[][] {
  const words = wordCount(joined(list))
  const own = new Set([...list, ...taken.flat()].map(key))
  const fits = others
    .filter(other => other.length >= list.length)
    .map(other => other.slice(0, list.length))
    .filter(other => !other.some(entry => own.has(key(entry))))
    .filter(other => isAsLong(words, wordCount(joined(other))))
  const unique = new Map(shuffled(fits, random).map(other => [other.map(key).join('; '), other]))
  return [...unique.values()]
}

function isAsLong(one: number, other: number): boolean {
  const [short, long] = [Math.min(one, other), Math.max(one, other)]
  return long <= 2 * short || long - short <= 4
}

function key(text: string): string {
  return plainWords(text).join(' ')
}
