import { z } from 'zod'
import catalogue from './catalogue.json' with { type: 'json' }

// What an author replies at each stage, and what of it the schema cannot say.

const word = z.string().min(3)
export const taskNames = Object.keys(catalogue.tasks)

export const Scenario = z.strictObject({ scenario: word, tasks: z.array(z.enum(taskNames)).min(1).max(2) })
export type Scenario = z.infer<typeof Scenario>
export const Scenarios = z.strictObject({ scenarios: z.array(Scenario).min(1).max(5) })

const typeIds = z.enum(Object.keys(catalogue.types))
const TypedTask = z.strictObject({ task: z.string(), question_types: z.array(typeIds).min(1).max(3) })
export const Types = z.strictObject({ scenario: z.string(), tasks: z.array(TypedTask).min(1).max(2) })

const Question = z.strictObject({
  question: word,
  difficulty: z.number().int().min(1).max(5),
  modalities: z.array(z.enum(catalogue.modalities)).min(1).max(3),
  key_segments: z.array(z.number().int().min(0)).min(1).max(10),
})
const Turn = Question.extend({ conversation_role: z.enum(catalogue.roles) })
export type Question = z.infer<typeof Question> & { conversation_role?: string }
export const Questions = z.strictObject({
  single_turn_questions: z.array(Question).length(1),
  multi_turn_questions: z.array(z.array(Turn).min(2).max(3)).max(1),
})

export const Answer = z.strictObject({ question: z.string(), answer: z.string().min(1) })

const Criterion = z.strictObject({
  name: z.enum([...catalogue.criteria, ...Object.keys(catalogue.penalties)]),
  description: word,
  category: z.enum(Object.keys(catalogue.weights)),
  is_penalty: z.boolean(),
})
export const Rubric = z.strictObject({ criteria: z.array(Criterion).min(1).max(5) })

export function faultOfQuestions(
  { single_turn_questions, multi_turn_questions }: z.infer<typeof Questions>,
  isRound: boolean,
  known: ReadonlySet<number>,
  asked: readonly string[],
): string | undefined {
  const all: Question[] = [...single_turn_questions, ...multi_turn_questions.flat()]
  if (isRound !== (multi_turn_questions.length === 0))
    return isRound ? 'no conversation was asked for' : 'the conversation is missing'
  const strange = all.flatMap(one => one.key_segments).find(key => !known.has(key))
  if (strange !== undefined) return `there is no stretch ${strange}`
  const lone = all.find(one => one.difficulty >= 3 && new Set(one.modalities).size < 2)
  if (lone) return `"${lone.question}" has difficulty ${lone.difficulty} and needs two modalities`
  const opening = multi_turn_questions[0]?.[0]
  if (opening && opening.conversation_role !== 'opener') return 'a conversation must begin with its opener'
  const texts = all.map(one => one.question.toLowerCase())
  const again = texts.find((text, at) => texts.indexOf(text) < at || asked.some(one => one.toLowerCase() === text))
  return again && `"${again}" is asked twice`
}

export function faultOfRubric({ criteria }: z.infer<typeof Rubric>): string | undefined {
  const names = criteria.map(({ name }) => name)
  const double = names.find((name, at) => names.indexOf(name) < at)
  if (double !== undefined) return `two criteria are called "${double}"`
  const isNamed = ({ name }: { name: string }) => Object.hasOwn(catalogue.penalties, name)
  const wrong = criteria.find(one => (one.category === 'penalty') !== isNamed(one))
  if (wrong) return `"${wrong.name}" ${isNamed(wrong) ? 'must have the category penalty' : 'is no name of a penalty'}`
  return criteria.some(one => one.category === 'high_priority') ? undefined : 'no criterion is of high priority'
}

// With its weight, and a penalty with its fixed sentence.
export function weighed({ name, description, category }: { name: string; description: string; category?: string }) {
  const fixed = catalogue.penalties[name as keyof typeof catalogue.penalties] as string | undefined
  const weight = catalogue.weights[category as keyof typeof catalogue.weights] ?? 3
  const known = category ?? 'medium_priority'
  return { name, description: fixed ?? description, category: known, weight, is_penalty: known === 'penalty' }
}
