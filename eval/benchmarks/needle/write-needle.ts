import type { Script } from '../../../src/media/render/scene.ts'
import type { NeedleSet } from './make-needle.ts'
import type { NeedleKind, NeedleRecord } from './record.ts'

// Where a set goes. Neither call may leave a half-written file under the name.
export interface NeedleFolder {
  render(script: Script, name: string): Promise<void>
  write(name: string, content: string): Promise<void>
}

// Writes the videos, their scripts and the annotations: our own, and the same in the forms of LongShOTBench and CG-Bench.
export async function writeNeedle(set: NeedleSet, folder: NeedleFolder): Promise<void> {
  for (const { name, script } of set.videos) {
    await folder.render(script, name)
    await folder.write(name.replace(/\.mp4$/, '.script.json'), `${JSON.stringify(script)}\n`)
  }
  const records = set.videos.flatMap(video => video.records)
  const lines = (values: readonly object[]) => values.map(value => `${JSON.stringify(value)}\n`).join('')
  await folder.write('longshot.jsonl', lines(records.map(longshotSample)))
  await folder.write('cg-bench.jsonl', lines(records.map(cgBenchRecord)))
  await folder.write('needle.json', `${JSON.stringify(records, null, 1)}\n`)
}

// The same question as LongShOTBench holds it: a conversation with a rubric on each answer.
function longshotSample(record: NeedleRecord): object {
  const user = (content: string) => ({
    role: 'user',
    content,
    difficulty: difficulty[record.kind],
    modalities: record.modalities,
  })
  const bare = (criterion: NeedleRecord['criteria'][number]) => {
    const { expect: _, ...rest } = criterion
    return rest
  }
  return {
    sample_id: record.id,
    video_id: record.video.replace(/\.mp4$/, ''),
    task: task[record.kind],
    sample_type: record.turns.length > 0 ? 'multi_turn' : 'single_turn',
    duration: record.duration,
    conversations: [
      ...record.turns.flatMap(turn => [
        user(turn.question),
        { role: 'assistant', content: turn.answer, criteria: [factOnly(turn.answer)] },
      ]),
      user(record.question),
      { role: 'assistant', content: record.answer, criteria: record.criteria.map(bare) },
    ],
  }
}

function factOnly(answer: string): object {
  return {
    name: 'factual_correctness',
    description: `States correctly: ${answer}`,
    category: 'high_priority',
    weight: 5,
    is_penalty: false,
  }
}

// The same question as CG-Bench holds it: options without letters, clue intervals in seconds. What was asked before is put first.
function cgBenchRecord(record: NeedleRecord): object {
  const before = record.turns.map(turn => `${turn.question} (${turn.answer})`)
  return {
    qid: record.id,
    video_uid: record.video.replace(/\.mp4$/, ''),
    question: [...before, record.question].join(' '),
    answer: record.choices[record.right_answer.charCodeAt(0) - 65],
    choices: record.choices,
    right_answer: record.right_answer,
    clue_intervals: record.clue_intervals,
    domain: 'Rendered',
    sub_category: record.kind,
    duration: record.duration,
  }
}

const task: Record<NeedleKind, string> = {
  'fact-spoken': 'audio_understanding',
  'fact-text': 'information_retrieval',
  'fact-picture': 'entity_recognition',
  when: 'temporal_reasoning',
  'before-after': 'temporal_reasoning',
  count: 'quantitative_reasoning',
  order: 'event_understanding',
  choice: 'information_retrieval',
  'said-while-shown': 'audio_visual_alignment',
  'shown-while-said': 'multimodal_synthesis',
  summary: 'summarization',
  absent: 'cross_modal_verification',
  'follow-up': 'compositional_reasoning',
}

const difficulty: Record<NeedleKind, number> = {
  'fact-spoken': 1,
  'fact-text': 1,
  'fact-picture': 2,
  when: 2,
  'before-after': 3,
  count: 4,
  order: 4,
  choice: 2,
  'said-while-shown': 3,
  'shown-while-said': 3,
  summary: 4,
  absent: 3,
  'follow-up': 3,
}
