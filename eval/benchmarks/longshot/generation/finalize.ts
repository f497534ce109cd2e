import type { Dict } from '../python-error.ts'
import { truthy } from '../python-error.ts'
import { dict, list } from './questions.ts'

// Joins questions, answers and criteria to samples of the data set. Single questions whose answer failed are left out;
// turns of a conversation are not, so one may have an empty reference and no criteria.
export function finalSamples(
  questions: readonly Dict[],
  answers: readonly Dict[],
  criteria: readonly Dict[],
  source: string,
): Dict[] {
  const samples: Dict[] = []
  const byTask = (records: readonly Dict[]) => new Map(records.map(record => [record.task_id, record]))
  const answersOf = byTask(answers)
  const criteriaOf = byTask(criteria)
  for (const record of questions) {
    const [answer, rubric] = [answersOf.get(record.task_id), criteriaOf.get(record.task_id)]
    if (!answer || !rubric) continue
    const add = (type: string, conversations: Dict[]) => {
      const count = conversations.reduce((sum, turn) => sum + list(turn.criteria).length, 0)
      samples.push({
        ...base(record, source),
        sample_id: `sample_${samples.length}`,
        sample_type: type,
        ...about(record),
        conversations,
        criteria_count: count,
      })
    }
    const asked = dict(record.questions)
    const answered = dict(answer.answers)
    for (const question of list(asked.single_turn_questions).map(dict)) {
      const [found, judged] = [
        byId(answered.single_turn_answers, question),
        byId(rubric.single_turn_criteria, question),
      ]
      if (found && judged && found.status === 'success') add('single_turn', turnsOf(question, found, judged, false))
    }
    list(asked.multi_turn_questions).forEach((turns, i) => {
      const [found, judged] = [list(answered.multi_turn_answers)[i], list(rubric.multi_turn_criteria)[i]]
      if (!found || !judged) return
      add(
        'multi_turn',
        list(turns)
          .map(dict)
          .flatMap(question => {
            const [one, other] = [byId(found, question), byId(judged, question)]
            return one && other ? turnsOf(question, one, other, true) : []
          }),
      )
    })
  }
  return samples
}

// What is left of a sample for publishing: no ids, no tags.
export function cleanSample(sample: Dict): Dict {
  const { video_id, source_videos, title, duration, categories, sample_type, scenario, task } = sample
  const conversations = list(sample.conversations)
    .map(dict)
    .map(({ role, content, criteria }) => (role === 'user' ? { role, content } : { role, content, criteria }))
  return { video_id, source_videos, title, duration, categories, sample_type, scenario, task, conversations }
}

// The release looks for title, duration and categories beside the video's fields, not in them, and so never finds them.
function base(record: Dict, source: string): Dict {
  return { video_id: record.video_id, source_videos: source, title: '', duration: 0, categories: [] }
}

function about({ scenario, scenario_id, task, task_id }: Dict): Dict {
  return { scenario, scenario_id, task, task_id }
}

function turnsOf(question: Dict, answer: Dict, rubric: Dict, inConversation: boolean): Dict[] {
  const either = (field: string) => (truthy(question[field]) ? question[field] : answer[field])
  const user: Dict = {
    role: 'user',
    content: question.question,
    difficulty: either('difficulty'),
    modalities: either('modalities') ?? [],
    key_segments: either('key_segments') ?? [],
  }
  if (inConversation) user.conversation_role = question.conversation_role ?? null
  return [user, { role: 'assistant', content: answer.answer ?? '', criteria: list(rubric.criteria) }]
}

function byId(records: unknown, question: Dict): Dict | undefined {
  return list(records)
    .map(dict)
    .find(record => record.question_id === question.question_id)
}
