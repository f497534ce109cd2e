import { gradeOpen } from '../../../eval/benchmarks/needle/grade.ts'
import { chatModels } from '../../../models/chat/index.ts'
import type { ChatModel } from '../../../src/core/chat.ts'
import type { PolicySettings } from '../../../src/core/settings.ts'
import type { VideoIndex } from '../../../src/core/video.ts'
import { ask } from '../ask.ts'
import { type Answered, answerQuestions, type Models } from '../perfect/answer-questions.ts'
import { perfectModel } from '../perfect/perfect-model.ts'
import { type Slips, strong, weak } from '../perfect/slips.ts'
import { truthOfNeedle } from '../perfect/truth.ts'
import { faultyRules } from './faulty-rules.ts'
import type { ScriptedStory } from './story-index.ts'

// The kinds of planner, a column each.
export const kinds = ['perfect', 'strong', 'weak', 'rules', 'faulty rules'] as const
type Kind = (typeof kinds)[number]

export const aboutKind: Record<Kind, string> = {
  perfect: 'always right, from what its requests show',
  strong: 'one decision in ten is wrong',
  weak: 'three in ten are wrong, half of these prose, broken JSON or silence',
  rules: 'the rules of the embedded profile; no model sees',
  'faulty rules':
    'the same with one of seven faults that small models have (`tests/agent/policy-worth/faulty-rules.ts`), on the first video',
}

// Of each question its points, open and then by options; the order is the same in every run. Right is 1, and a wrong open answer -0.5,
// as it is worse than "the video does not say". Rules are asked for two things at once too.
export async function scoresOf(
  kind: Kind,
  stories: readonly ScriptedStory[],
  policy: Partial<PolicySettings>,
): Promise<number[]> {
  const scores: number[] = []
  for (const [seed, { index, records }] of stories.entries()) {
    if (kind === 'faulty rules' && seed > 0) break
    const isRules = kind.endsWith('rules')
    const questions = isRules ? records.filter(record => record.kind !== 'fact-picture') : records
    for (const models of await modelsOf(kind, seed, questions)) {
      const answered = await answerQuestions(index, questions, models, { policy })
      scores.push(...answered.map(pointsOf))
      if (isRules) scores.push(...(await answerPairs(index, questions, models, policy)))
    }
  }
  return scores
}

function pointsOf({ task, score, answer, record }: Answered): number {
  const isSilent = answer.abstained && record.expect.form !== 'abstain'
  return score > 0 || task === 'choice' || isSilent ? score : -0.5
}

// Two facts asked for in one question.
async function answerPairs(
  index: VideoIndex,
  records: ScriptedStory['records'],
  models: Models,
  policy: Partial<PolicySettings>,
) {
  const facts = records.filter(({ kind, turns }) => /^fact-/.test(kind) && turns.length === 0)
  const scores: number[] = []
  for (const [at, one] of facts.entries()) {
    const other = facts[(at + 1) % facts.length]
    if (!other || other === one) continue
    const text = `${one.question.replace(/\?$/, '')}, and ${other.question.replace(/^./, first => first.toLowerCase())}`
    const { answer } = await ask(index, text, { ...models, policy })
    scores.push((gradeOpen(one, answer.text).score + gradeOpen(other, answer.text).score) / 2)
  }
  return scores
}

async function modelsOf(kind: Kind, seed: number, records: ScriptedStory['records']): Promise<Models[]> {
  const rules = await chatModels.open('rules', {}, host)
  if (kind === 'rules') return [{ planner: rules, writer: rules, verifier: rules }]
  if (kind === 'faulty rules') return faultyRules(rules).map(one => ({ ...one, verifier: rules }))
  const slips: Slips | undefined = kind === 'perfect' ? undefined : kind === 'strong' ? strong(seed) : weak(seed)
  const truths = records.map(truthOfNeedle)
  const makeModel = (verifier: 'honest' | 'bound to rows'): ChatModel => perfectModel(truths, { verifier, slips })
  // A small model judges by the words of the rows.
  const model = makeModel('honest')
  const verifier = makeModel(kind === 'weak' ? 'bound to rows' : 'honest')
  return [{ planner: model, writer: model, verifier, vision: model }]
}

const host = { folder: '', environment: {}, signal: new AbortController().signal, say: () => {} }

interface Difference {
  mean: number // points of 100
  low: number
  high: number
}

// What a policy adds, question by question, with the interval of 95 %.
export function bootstrapDifference(on: readonly number[], off: readonly number[]): Difference {
  const each = on.map((score, i) => 100 * (score - (off[i] ?? 0)))
  const mean = each.reduce((sum, one) => sum + one, 0) / Math.max(1, each.length)
  const variance = each.reduce((sum, one) => sum + (one - mean) ** 2, 0) / Math.max(1, each.length - 1)
  const reach = 1.96 * Math.sqrt(variance / Math.max(1, each.length))
  return { mean, low: mean - reach, high: mean + reach }
}

export function meanScore(scores: readonly number[]): number {
  return (100 * scores.reduce((sum, one) => sum + one, 0)) / Math.max(1, scores.length)
}
