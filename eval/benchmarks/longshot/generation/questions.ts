import { type Dict, isDict } from '../python-error.ts'

export interface TaskIds {
  video: string
  scenario: string
  task: string
}

// Questions with their ids: _q1 for a single one, _mq1_t1 for the first turn of the first conversation.
export function withQuestionIds(questions: Dict, ids: TaskIds): Dict {
  const own = { video_id: ids.video, scenario_id: ids.scenario, task_id: ids.task }
  const single = list(questions.single_turn_questions)
  const multi = list(questions.multi_turn_questions)
  return {
    single_turn_questions: single.map((question, i) => ({
      ...dict(question),
      question_id: `${ids.task}_q${i + 1}`,
      ...own,
    })),
    multi_turn_questions: multi.map((turns, i) =>
      list(turns).map((question, j) => ({
        ...dict(question),
        question_id: `${ids.task}_mq${i + 1}_t${j + 1}`,
        ...own,
      })),
    ),
  }
}

export interface QuestionType {
  description: string
  example: string
}

// The question types of a task with what they mean, from a catalogue by id; names are matched whatever their case, and
// "count" finds count_measure. What the catalogue lacks is kept as it is.
export function withMeaning(names: readonly string[], catalogue: Readonly<Record<string, QuestionType>>): Dict[] {
  return names.map(name => {
    const id = name
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_')
    const found =
      id === ''
        ? undefined
        : (catalogue[id] ?? Object.entries(catalogue).find(([key]) => key.startsWith(`${id}_`))?.[1])
    return found ? { question_type: name, ...found } : { question_type: name }
  })
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

export function dict(value: unknown): Dict {
  return isDict(value) ? value : {}
}
