import { shuffle } from '../../../data/deck.ts'
import { areOfOneLength } from '../../../recipes/checks/options.ts'
import { plainWords, wordCount } from '../../../recipes/checks/parts/words.ts'
import type { Random } from '../../../recipes/rules/wrong-answers.ts'

export const dontKnow = "I don't know"
const tries = 400

export type OrderedList = readonly string[] // in the order of the film

export interface ListOptions {
  options: string[][] // the way out is an option of one entry
  right: number
}

export function joinItems(list: OrderedList): string {
  return list.join(', ')
}

// The right order among wrong ones and "I don't know"; undefined if there is no wrong one.
export function orderOptions(list: OrderedList, count: number, random: Random): ListOptions | undefined {
  return withWrong(list, otherOrders(list, count - 2, random), random)
}

// Of what one person does: among wrong orders, a list of another person that is as long. In a third of the questions the
// wrong orders are those of the other list, so that the list which has most orders tells nothing.
export function personOptions(
  list: OrderedList,
  others: readonly OrderedList[],
  count: number,
  random: Random,
  elsewhere: readonly OrderedList[] = [], // of other videos, where the others are too few
): ListOptions | undefined {
  const wrong = count - 2
  const near = sameLength(list, others, random)
  const isEnough = near.length >= (list.length === 1 ? wrong : 1)
  const foreign = isEnough ? near : [...near, ...sameLength(list, elsewhere, random, near.flat())]
  const [other] = foreign
  if (!other) return orderOptions(list, count, random)
  if (list.length === 1) return withWrong(list, foreign.slice(0, wrong), random)
  const isOthers = random() < 1 / 3
  const reorderings = otherOrders(list, isOthers ? 1 : wrong - 1, random)
  const theirs = isOthers ? otherOrders(other, wrong - reorderings.length - 1, random) : []
  return withWrong(list, [...reorderings, other, ...theirs].slice(0, wrong), random)
}

// None twice and none like the list itself; fewer if there are fewer.
function otherOrders(list: OrderedList, count: number, random: Random): string[][] {
  const ordersByKey = new Map<string, string[]>()
  for (let at = 0; at < tries && ordersByKey.size < count; at++) {
    const order = shuffle(list, random)
    if (joinItems(order) !== joinItems(list)) ordersByKey.set(joinItems(order), order)
  }
  return [...ordersByKey.values()]
}

function withWrong(list: OrderedList, wrong: readonly string[][], random: Random): ListOptions | undefined {
  if (list.length === 0 || wrong.length === 0) return undefined
  const right = [...list]
  const options = shuffle([right, ...wrong, [dontKnow]], random)
  return { options, right: options.indexOf(right) }
}

// The beginnings of other lists, as long as this one, about as many words, and of other entries.
function sameLength(
  list: OrderedList,
  others: readonly OrderedList[],
  random: Random,
  taken: OrderedList = [],
): string[][] {
  const key = (text: string) => plainWords(text).join(' ')
  const usedKeys = new Set([...list, ...taken].map(key))
  const words = (one: OrderedList) => wordCount(joinItems(one))
  const fits = others
    .map(other => other.slice(0, list.length))
    .filter(other => other.length === list.length && !other.some(entry => usedKeys.has(key(entry))))
    .filter(other => areOfOneLength([words(list), words(other)]))
  return [...new Map(shuffle(fits, random).map(other => [other.map(key).join('; '), other])).values()]
}
