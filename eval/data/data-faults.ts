import { groupBy } from '../../src/core/basics/group-by.ts'
import type { Sample } from './sample.ts'

// What is wrong with the questions themselves, a sentence for each kind of fault. Scoring, checking and the preflight of a run all say it.
export function findDataFaults(samples: readonly Sample[]): string[] {
  const doubles = [...groupBy(samples, ({ id }) => id)].filter(([, of]) => of.length > 1)
  const isContradiction = (of: readonly Sample[]) => new Set(of.map(statedAnswer)).size > 1
  const sameQuestions = [...groupBy(samples, sameQuestion).values()].filter(
    of => isContradiction(of) && new Set(of.map(({ id }) => id)).size > 1,
  )
  const idsWhere = (isFaulty: (sample: Sample) => boolean) => samples.filter(isFaulty).map(({ id }) => id)
  const faults: [sentence: string, ids: readonly string[]][] = [
    ['Ids that occur twice', doubles.map(([id]) => id)],
    ['Ids that occur twice with contradicting keys', doubles.flatMap(([id, of]) => (isContradiction(of) ? [id] : []))],
    ['The same question with contradicting keys', sameQuestions.map(of => of.map(({ id }) => id).join(' and '))],
    ['Questions without text', idsWhere(({ question }) => question.text.trim() === '')],
    ['Questions without options', idsWhere(({ question }) => question.options?.length === 0)],
    ['Options without text', idsWhere(({ question }) => question.options?.some(text => text.trim() === '') === true)],
    ['The key is none of the options', idsWhere(({ key, choice }) => key !== undefined && choice === undefined)],
  ]
  return faults.flatMap(([sentence, ids]) => (ids.length > 0 ? [`${sentence}: ${listIds(ids)}.`] : []))
}

function statedAnswer({ question, choice, key, reference = '' }: Sample): string {
  return (choice === undefined ? key : question.options?.[choice]) ?? reference
}

function sameQuestion({ video, question, turns = [] }: Sample): string {
  return JSON.stringify([video, question.text, [...(question.options ?? [])].sort(), turns])
}

export function listIds(ids: readonly string[]): string {
  return `${ids.slice(0, 8).join(', ')}${ids.length > 8 ? ` and ${ids.length - 8} more` : ''}`
}
