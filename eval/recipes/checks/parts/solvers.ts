import type { DraftItem } from '../../item.ts'
import { jaccard, plainWords } from './words.ts'

export type ChoiceItem = DraftItem & Required<Pick<DraftItem, 'options' | 'right'>>

// How often each normalised text is a right answer: of the set, and of one video.
interface RightAnswers {
  all: ReadonlyMap<string, number>
  of: ReadonlyMap<string, ReadonlyMap<string, number>>
}

type Solver = (item: ChoiceItem, answers: RightAnswers) => number[] // a score for each option

// What sees options, and the question at most. The option with the greatest score is chosen, the first of equals.
export const solvers: Record<string, Solver> = {
  longest: ({ options }) => options.map(option => [...option].length),
  shortest: ({ options }) => options.map(option => -[...option].length),
  shared({ question, options }) {
    const questionWords = new Set(plainWords(question))
    return options.map(option => {
      const words = new Set(plainWords(option))
      return words.size === 0 ? 0 : [...words].filter(word => questionWords.has(word)).length / words.size
    })
  },
  nearest({ options }) {
    const sets = options.map(option => new Set(plainWords(option)))
    return sets.map((own, at) => {
      const otherSets = sets.filter((_, other) => other !== at)
      return otherSets.reduce((sum, other) => sum + jaccard(own, other), 0) / Math.max(1, otherSets.length)
    })
  },
  frequent({ video, options }, { all, of }) {
    return options.map(option => {
      const text = key(option)
      return (all.get(text) ?? 0) - (of.get(video)?.get(text) ?? 0)
    })
  },
}

export function isChoice(item: DraftItem): item is ChoiceItem {
  return item.options !== undefined && item.right !== undefined && item.options.length > 1
}

// Whether a solver gets an item; equal are scores within 1e-9.
export function solves(solver: Solver, item: ChoiceItem, answers: RightAnswers): boolean {
  const scores = solver(item, answers)
  const best = Math.max(...scores)
  return scores.findIndex(score => score >= best - 1e-9) === item.right
}

export function rightAnswers(items: readonly ChoiceItem[]): RightAnswers {
  const all = new Map<string, number>()
  const of = new Map<string, Map<string, number>>()
  for (const { video, options, right } of items) {
    const text = key(options[right] ?? '')
    const videoCounts = of.get(video) ?? new Map<string, number>()
    of.set(video, videoCounts.set(text, (videoCounts.get(text) ?? 0) + 1))
    all.set(text, (all.get(text) ?? 0) + 1)
  }
  return { all, of }
}

function key(option: string): string {
  return plainWords(option).join(' ')
}
