import { beforeAll, describe, expect, test } from 'vitest'
import { buildAsks } from '../../../eval/runner/ask/asks-of-sample.ts'
import { scoreReplyLines } from '../../support/benchmark.ts'
import { type CommandLine, commandLine } from '../../support/command-line.ts'
import { ask } from '../ask.ts'
import { citedBy } from './answer-questions.ts'
import { type MadeSet, makeSet, recipes } from './made-set.ts'
import { perfectModel } from './perfect-model.ts'
import { citesClues } from './shown.ts'

const verifiers = ['honest', 'bound to rows'] as const

const graphs = ['investigate', 'converse'] as const

let line: CommandLine
beforeAll(() => {
  line = commandLine()
})

describe.each(Object.keys(recipes))('a set made as %s', recipe => {
  let set: MadeSet
  beforeAll(async () => {
    set = await makeSet(recipe, line)
  }, 60_000)

  test.each(verifiers.flatMap(verifier => graphs.map(graph => [graph, verifier] as const)))(
    'is answered wholly in %s by a model that is always right, with a verifier that is %s',
    async (graph, verifier) => {
      const { benchmark, records, samples, index } = set
      const tasks = new Set(benchmark.tasks.map(one => one.name).filter(name => name !== 'clue_acc'))
      const lost: string[] = []
      const replies: string[] = []
      for (const { sample, truth } of samples) {
        const model = perfectModel([truth], { verifier })
        const replied: Record<string, string> = {}
        for (const asked of buildAsks(benchmark, sample, tasks)) {
          const { text, options } = asked.question
          const state = await ask(index, text, { options, planner: model, writer: model, verifier: model, graph })
          const { answer, evidence } = state
          for (const [task, reply] of Object.entries(asked.replies)) replied[task] = reply({ answer, evidence })
          const isRight = options
            ? answer.choice === truth.right
            : answer.text.includes(truth.answer.replace(/\.$/, ''))
          if (!isRight || !citesClues(citedBy(state), truth.clues))
            lost.push(`${asked.name} ${text}: ${truth.answer}, not ${answer.text}`)
        }
        replies.push(JSON.stringify({ id: sample.longId ?? sample.id, replies: replied }))
      }
      expect(lost).toEqual([])
      if (recipe !== 'cg-bench') return
      async function* lines() {
        yield* replies
      }
      const { metrics } = await scoreReplyLines(benchmark, { records, replies: lines(), scoring: 'strict' })
      expect(metrics.long_acc).toBe(100)
      expect(metrics.miou).toBeGreaterThanOrEqual(90)
    },
    60_000,
  )
})
