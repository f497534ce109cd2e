import type { Draft, WriteBrief } from '../../../../src/core/brief.ts'
import type { ParsedQuestion } from '../../../../src/text/question/parsed-question.ts'
import { answerAbsent } from './absent.ts'
import { answerDuring, answerNeighbour } from './neighbour.ts'
import { stated } from './stated.ts'

// A fact; if no row states it, what is around the moment that the question refers to.
export function answerFact(asked: ParsedQuestion, brief: WriteBrief): Draft {
  const draft = stated(asked, brief)
  if (draft || !asked.anchor) return draft ?? answerAbsent(asked, brief)
  return asked.anchor.relation === 'during' ? answerDuring(asked, brief) : answerNeighbour(asked, brief)
}
