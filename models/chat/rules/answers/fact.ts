import type { Draft, WriteBrief } from '../../../../src/core/brief.ts'
import type { ParsedQuestion } from '../../../../src/text/question/parsed-question.ts'
import { absent } from './absent.ts'
import { during, neighbour } from './neighbour.ts'
import { stated } from './stated.ts'

// A fact; if no row states it, what is around the moment that the question refers to.
export function fact(asked: ParsedQuestion, brief: WriteBrief): Draft {
  const found = stated(asked, brief)
  if (found || !asked.anchor) return found ?? absent(asked, brief)
  return asked.anchor.relation === 'during' ? during(asked, brief) : neighbour(asked, brief)
}
