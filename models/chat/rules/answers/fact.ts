import type { Draft, WriteBrief } from '../../../../src/core/brief.ts'
import type { Asked } from '../../../../src/text/question/asked.ts'
import { absent } from './absent.ts'
import { during, neighbour } from './neighbour.ts'
import { stated } from './stated.ts'

// A fact; where nothing says it, what lies around the moment that the question starts from.
export function fact(asked: Asked, brief: WriteBrief): Draft {
  const found = stated(asked, brief)
  if (found || !asked.anchor) return found ?? absent(asked, brief)
  return asked.anchor.relation === 'during' ? during(asked, brief) : neighbour(asked, brief)
}
