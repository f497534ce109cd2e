import { beforeAll, describe, expect, test } from 'vitest'
import { policyNames } from '../../../src/core/settings.ts'
import { answerQuestions } from './answer-questions.ts'
import { perfectModel } from './perfect-model.ts'
import { citesClues } from './shown.ts'
import { makeStories, type ScriptedStory } from './story-index.ts'
import { truthOfNeedle } from './truth.ts'

let stories: ScriptedStory[]
beforeAll(async () => {
  stories = await makeStories(29, 1, 5)
})

const verifiers = ['honest', 'bound to rows'] as const
const allOn = Object.fromEntries(policyNames.map(name => [name, true]))

describe.each(['investigate', 'converse'])('%s', graph => {
  describe.each(verifiers)('with a verifier that is %s', verifier => {
    test.each([
      ['the usual policies', {}],
      ['every policy', allOn],
    ])('a model that is always right keeps its answers, choices and citations under %s', async (_, policy) => {
      const lost: string[] = []
      for (const { index, records } of stories) {
        const model = perfectModel(records.map(truthOfNeedle), { verifier })
        const models = { planner: model, writer: model, verifier: model, vision: model }
        for (const one of await answerQuestions(index, records, models, { graph, policy })) {
          const { record, task, score, answer, cited } = one
          const isCited = citesClues(cited, truthOfNeedle(record).clues)
          if (score < 1 || !isCited)
            lost.push(
              `${task} ${record.question}: ${record.answer}, not ${answer.text} (${isCited ? '' : 'not '}cited)`,
            )
        }
      }
      expect(lost).toEqual([])
    })
  })
})
