import { isObject } from '../../../src/core/json.ts'
import { toolCriteria } from './agentic/criteria.ts'
import { expectedCalls } from './agentic/tool-calls.ts'
import { type Pooled, pool, withoutAlias } from './official.ts'
import type { Dict } from './python-error.ts'
import { rubricIn, rubricPoints } from './rubric.ts'
import { durationBuckets, modalityGroups, taskCategories } from './tables.ts'
import { readConversation } from './turns.ts'

export const otherTasks = 'Other Tasks'

// Strict pooling: a criterion counts as met only on a judged true, a violated penalty subtracts its weight, and a sample
// whose task is in no category has one of its own. What was not judged gives nothing and is listed.
export function poolStrict(samples: readonly unknown[], failures: { id: string; reason: string }[]): Pooled {
  return pool(samples, (sample, id) => {
    const record: Dict = isObject(sample) ? sample : {}
    return {
      task: strictTask(record),
      points: strictPoints(record, reason => failures.push({ id, reason })),
      modalities: strictModalities(record),
      duration: strictDuration(record),
    }
  })
}

function strictPoints(sample: Dict, fail: (reason: string) => void): { obtained: number; total: number } {
  let obtained = 0
  let total = 0
  readConversation(sample).forEach((turn, place) => {
    if (turn.role !== 'assistant') return
    const answered = typeof turn.candidate_response === 'string' && turn.candidate_response.trim() !== ''
    const silent = !answered && 'candidate_response' in turn
    if (silent) fail(`turn ${place}: no answer`)
    const criteria = rubricIn(turn)
    const points = rubricPoints(criteria)
    total += points.total
    if (silent) return
    obtained += points.obtained
    for (const { name, met } of criteria) if (met === null) fail(`turn ${place}: ${name || 'criterion'} was not judged`)
  })
  return { obtained, total }
}

// The same sample as if nothing had been answered: what a sample without a line counts. Bounds take it for all right, too.
export function unansweredSample(sample: unknown, isRight = false): Dict {
  const record: Dict = isObject(sample) ? sample : {}
  return {
    ...record,
    conversations: readConversation(record).map(turn =>
      turn.role === 'assistant'
        ? {
            ...turn,
            criteria: listCriteria(turn)
              .filter(criterion => criterion.is_penalty !== true)
              .map(criterion => ({ ...criterion, criteria_met: isRight })),
          }
        : turn,
    ),
  }
}

// Those of an agentic turn are made from the calls that it expects.
function listCriteria(turn: Dict): Dict[] {
  const criteria = Array.isArray(turn.criteria) ? turn.criteria.filter(isObject) : []
  return criteria.length > 0 ? criteria : toolCriteria(expectedCalls(turn)).map(criterion => ({ ...criterion }))
}

export function strictTask(sample: Dict): string {
  return typeof sample.task === 'string' ? withoutAlias(sample.task) : 'unknown'
}

export function findCategory(task: string): string {
  return Object.entries(taskCategories).find(([, tasks]) => tasks.includes(task))?.[0] ?? otherTasks
}

// Unlike the released table, the tag "audio" is audio.
function strictModalities(sample: Dict): Set<string> {
  const tags = readConversation(sample)
    .filter(turn => turn.role === 'user')
    .flatMap(turn => (Array.isArray(turn.modalities) ? turn.modalities : []))
  return new Set(tags.map(tag => (tag === 'audio' ? 'audio' : (modalityGroups[String(tag)] ?? 'visual'))))
}

export function strictDuration({ duration }: Dict): string {
  if (typeof duration !== 'number') return 'unknown'
  return durationBuckets.find(({ from, to }) => from <= duration && duration < to)?.name ?? 'unknown'
}
