import { formatTime } from '../../../../src/core/time.ts'
import { fence } from '../../../../src/core/words/fence.ts'
import type { SourceRecord } from '../../../make/item.ts'
import type { MadeUnit } from '../../../make/recipe.ts'
import type { Question } from './replies.ts'

// What passes between the stages.

export interface LongshotSettings {
  scenarios: number
  tasks: 'official' | 'all'
}

export const most = { tasks: 6, samples: 12, questions: 24, rounds: 2 } // of a video

export interface Task {
  scenario: string
  scenario_id: string
  task: string
  task_id: string
  question_types: string[]
}
export interface Round extends Task {
  isRound: boolean // for a level that is lacking
}
export interface Asked extends Task {
  conversations: Question[][]
}
export interface Place extends Task {
  conversation: string
  place: number
  turns: number
  question: Question
}
export interface Answered extends Place {
  answer: string
}

export const outputs = <Value>(units: readonly MadeUnit[] = []) => units.map(({ output }) => output as Value)

export function recordText({ segments }: SourceRecord): string {
  const lines = segments.map(({ segment_index, temporal: { start, end }, multimodal_description, key_events }) =>
    [`${segment_index}. ${formatTime(start)}-${formatTime(end)} ${multimodal_description}`, ...key_events].join(
      '\n - ',
    ),
  )
  return fence('record', lines.join('\n'))
}
