import { beforeAll, describe, expect, test } from 'vitest'
import { loadBenchmark } from '../../eval/benchmarks/index.ts'
import { letterAt } from '../../eval/metrics/choice/options.ts'
import { type ChoiceItem, isChoice, rightAnswers, solvers } from '../../eval/recipes/checks/parts/solvers.ts'
import type { DraftItem } from '../../eval/recipes/item.ts'
import { drawFor } from '../../src/core/basics/draws.ts'
import { groupBy } from '../../src/core/basics/group-by.ts'
import { scoreReplyLines } from '../support/benchmark.ts'
import { type CommandLine, commandLine } from '../support/command-line.ts'
import { talkSet } from './talk-set.ts'

// The closed loop: what keys, silence, random letters and those who see options alone are worth on sets made by rules.

const videos = 10

let line: CommandLine
beforeAll(() => {
  line = commandLine()
})

const fenced = (value: unknown) => JSON.stringify({ result: value })
interface Way {
  folder: string // of its videos
  options: string[]
  metric: string
  isByTask?: true // the mean of its tasks, each as much as another
  reply(item: DraftItem, at: number, place: number | undefined, isTrue: boolean): object
}

// How a choice, and where there is none an answer, is replied to each benchmark.
const ways: Record<string, Way> = {
  'cg-bench': {
    folder: 'cg_videos_720p',
    options: ['minMinutes=0', 'perVideo=14'],
    metric: 'long_acc',
    reply: (_, at, place) => ({
      id: String(at + 1),
      replies: { long_acc: place === undefined ? '' : fenced(letterAt(place)) },
    }),
  },
  infinibench: {
    folder: 'videos',
    options: [],
    metric: 'accuracy',
    isByTask: true,
    reply: ({ id, kind }, _, place) => ({
      id: `${kind}:${id}`,
      replies: { answer: place === undefined ? '' : String(place) },
    }),
  },
  'videoeval-pro': {
    folder: 'videos_filtered',
    options: ['minMinutes=0', 'perVideo=14'],
    metric: 'mcq',
    reply: (_, at, place, isTrue) => ({
      id: String(at),
      replies: { mcq: place === undefined ? '' : letterAt(place), open: 'x' },
      judge: { open: isTrue ? 'A' : 'C' },
    }),
  },
  allvb: {
    folder: 'videos',
    options: ['perVideo=14'],
    metric: 'average',
    isByTask: true,
    reply: ({ id }, _, place) => ({
      id,
      replies: { answer: place === undefined ? '' : `Best Answer: ${letterAt(place)}` },
    }),
  },
}

describe.each(Object.entries(ways))('%s', (name, way) => {
  const { metric, reply, isByTask = false } = way
  let items: DraftItem[]
  let score: (
    scoring: 'official' | 'strict',
    place: (item: ChoiceItem, at: number) => number | undefined,
  ) => Promise<number>

  beforeAll(async () => {
    const made = await talkSet(line, { recipe: name, folder: way.folder, options: way.options, videos })
    items = made.items
    const benchmark = await loadBenchmark(name)
    const records = await benchmark.data.records(made.paths)
    score = async (scoring, place) => {
      const lines = items.map((item, at) => {
        const chosen = isChoice(item) ? place(item, at) : undefined
        return JSON.stringify(reply(item, at, chosen, chosen === item.right))
      })
      async function* replies() {
        yield* lines
      }
      return (await scoreReplyLines(benchmark, { records, replies: replies(), scoring })).metrics[metric] ?? 0 // null: official scorers leave silence out
    }
  })

  // As the benchmark averages: the mean of what each question's chance is, and how far random letters stray from it.
  test.each(['official', 'strict'] as const)(
    '%s: keys are worth 100, silence 0, letters at random and options alone chance',
    async scoring => {
      expect(items.length).toBeGreaterThan(25)
      expect(await score(scoring, ({ right }) => right)).toBe(100)
      expect(await score(scoring, () => undefined)).toBe(0)
      const rounds = 30
      const random = drawFor(5, 'letters', name)
      const drawn = await Promise.all(
        Array.from({ length: rounds }, () => score(scoring, ({ options }) => Math.floor(random() * options.length))),
      )
      const [chance, sd] = chanceOf(items.filter(isChoice), isByTask)
      const mean = drawn.reduce((sum, one) => sum + one, 0) / rounds
      expect(Math.abs(mean - chance)).toBeLessThan((3 * sd) / Math.sqrt(rounds))
      const answers = rightAnswers(items.filter(isChoice))
      for (const [solver, worth] of Object.entries(solvers)) {
        const found = await score(scoring, item => {
          const scores = worth(item, answers)
          return scores.findIndex(one => one >= Math.max(...scores) - 1e-9)
        })
        expect(Math.abs(found - chance), `${solver}: ${found}, chance ${chance} +- ${sd}`).toBeLessThan(3 * sd)
      }
    },
  )
})

// In percent, with the standard deviation of one round; a benchmark that averages over its tasks weighs each alike.
function chanceOf(items: readonly ChoiceItem[], isByTask: boolean): [chance: number, sd: number] {
  const tasks = groupBy(items, ({ kind }) => (isByTask ? kind : ''))
  const weight = (kind: string) => 1 / (tasks.size * (tasks.get(isByTask ? kind : '')?.length ?? 1))
  const chance = items.reduce((sum, { kind, options }) => sum + weight(kind) / options.length, 0)
  const variance = items.reduce(
    (sum, { kind, options: { length } }) => sum + weight(kind) ** 2 * (1 / length) * (1 - 1 / length),
    0,
  )
  return [100 * chance, 100 * Math.sqrt(variance)]
}
