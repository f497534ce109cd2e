import { groupBy } from '../../../../src/core/basics/group-by.ts'
import type { DraftItem, SourceRecord } from '../../../make/item.ts'

export interface Final {
  records: readonly SourceRecord[]
  fields: 'whole' | 'as released' // the release loses title, duration and categories
}

type Extra = Record<string, unknown>

// Samples with the fields of the release, by conversation and in the order of their items.
export function finalSamples(items: readonly DraftItem[], { records, fields }: Final) {
  const byVideo = new Map(records.map(record => [record.video_id, record]))
  const conversations = groupBy(items, ({ extra }) => String(extra.conversation))
  return [...conversations.values()].map((turns, at) => {
    const [{ video, kind, extra } = turns[0] as DraftItem] = turns
    const { meta = {}, statistics } = byVideo.get(video) ?? {}
    const isWhole = fields === 'whole'
    return {
      video_id: video,
      source_videos: 'final',
      title: isWhole ? (meta.title ?? '') : '',
      duration: isWhole ? (statistics?.duration ?? 0) : 0,
      categories: isWhole ? (meta.categories ?? []) : [],
      sample_id: `sample_${at}`,
      sample_type: turns.length > 1 ? 'multi_turn' : 'single_turn',
      ...{ scenario: extra.scenario, scenario_id: extra.scenario_id, task: kind, task_id: extra.task_id },
      conversations: turns.flatMap(turnsOf),
      criteria_count: turns.reduce((sum, { extra }) => sum + criteriaOf(extra).length, 0),
    }
  })
}
export type FinalSample = ReturnType<typeof finalSamples>[number]

function turnsOf({ question, answer, extra }: DraftItem): Extra[] {
  const { difficulty, modalities, key_segments, conversation_role } = extra
  const asked = { role: 'user', content: question, difficulty, modalities, key_segments }
  return [
    { ...asked, ...(conversation_role !== undefined && { conversation_role }) },
    { role: 'assistant', content: answer, criteria: criteriaOf(extra) },
  ]
}

function criteriaOf({ criteria }: Extra): unknown[] {
  return Array.isArray(criteria) ? criteria : []
}

// Without ids, and without what is known of the questions.
export function cleanSample({
  sample_id: _,
  scenario_id: __,
  task_id: ___,
  criteria_count: ____,
  ...rest
}: FinalSample) {
  const turns = rest.conversations.map(({ role, content, criteria }) => ({
    role,
    content,
    ...(criteria !== undefined && { criteria }),
  }))
  return { ...rest, conversations: turns }
}

// What the release counts of its samples, without the time of the making.
export function analysisOf(samples: readonly FinalSample[]) {
  const videos = new Map(samples.map(({ video_id, duration }) => [video_id, duration]))
  const turns = samples.flatMap(({ conversations }) => conversations)
  const multi = samples.filter(one => one.sample_type === 'multi_turn').map(one => one.conversations.length / 2)
  const lengths = spread(samples.map(({ conversations }) => conversations.length))
  const several = spread(multi)
  const durations = [...videos.values()]
  const length = spread(durations)
  const criteria = spread(samples.map(({ criteria_count }) => criteria_count))
  const having = samples.filter(({ criteria_count }) => criteria_count > 0).length
  const listed = (key: string) => turns.flatMap(turn => turn[key] ?? [])
  return {
    dataset_info: {
      total_samples: samples.length,
      single_turn_samples: samples.length - multi.length,
      multi_turn_samples: multi.length,
      file_info: {
        dataset_with_ids: 'final_dataset.jsonl',
        clean_dataset: 'clean_dataset.jsonl',
        analysis_file: 'dataset_analysis.json',
      },
    },
    video_statistics: {
      unique_videos: videos.size,
      video_ids: [...videos.keys()],
      duration_stats: {
        ...{ min_duration: length.min, max_duration: length.max, avg_duration: length.mean },
        total_duration: durations.reduce((sum, one) => sum + one, 0),
      },
    },
    content_distribution: {
      categories: count(samples.flatMap(({ categories }) => categories)),
      tasks: count(samples.map(({ task }) => task)),
      scenarios: count(samples.map(({ scenario }) => scenario)),
    },
    conversation_analysis: {
      conversation_length_stats: { min_length: lengths.min, max_length: lengths.max, avg_length: lengths.mean },
      multi_turn_analysis: {
        ...{ avg_turns: several.mean, min_turns: several.min, max_turns: several.max },
        turn_distribution: count(multi),
      },
    },
    criteria_analysis: {
      total_criteria: samples.reduce((sum, one) => sum + one.criteria_count, 0),
      avg_criteria_per_sample: criteria.mean,
      criteria_distribution: {
        ...{ min_criteria: criteria.min, max_criteria: criteria.max },
        criteria_counts: count(samples.map(one => one.criteria_count)),
      },
    },
    question_metadata_analysis: {
      difficulty_distribution: count(listed('difficulty')),
      modality_distribution: count(listed('modalities')),
    },
    quality_metrics: {
      samples_with_criteria: having,
      samples_without_criteria: samples.length - having,
      avg_criteria_coverage: samples.length > 0 ? (100 * having) / samples.length : 0,
    },
  }
}

function spread(values: readonly number[]): { min: number; max: number; mean: number } {
  if (values.length === 0) return { min: 0, max: 0, mean: 0 }
  const mean = values.reduce((sum, one) => sum + one, 0) / values.length
  return { min: Math.min(...values), max: Math.max(...values), mean }
}

function count(values: readonly unknown[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[String(value)] = (counts[String(value)] ?? 0) + 1
  return counts
}
