import { groupBy } from '../../../../src/core/basics/group-by.ts'
import { indentedJson, jsonLines } from '../../../../src/core/json.ts'
import { countValues } from '../../../metrics/kappa.ts'
import type { DraftItem, SourceRecord } from '../../../recipes/item.ts'
import type { SetFile, ToWrite } from '../../../recipes/recipe.ts'
import { meanOrNull } from '../../grades.ts'

type Fields = 'whole' | 'as released' // the release loses title, duration and categories

const files = {
  dataset_with_ids: 'final_dataset.jsonl',
  clean_dataset: 'clean_dataset.jsonl',
  analysis_file: 'dataset_analysis.json',
}

// The files of the release; the canary goes beside its fields.
export function write({ items, records, settings: { fields }, canary }: ToWrite<{ fields: Fields }>): SetFile[] {
  const samples = finalSamples(items, { records, fields })
  const lines = (all: readonly object[]) => jsonLines(all.map(one => ({ ...one, canary })))
  return [
    { path: files.dataset_with_ids, content: lines(samples), annotations: true },
    { path: files.clean_dataset, content: lines(samples.map(cleanSample)) },
    { path: files.analysis_file, content: indentedJson({ ...analyzeSamples(samples), canary }) },
  ]
}

// Samples by conversation and in the order of their items.
export function finalSamples(
  items: readonly DraftItem[],
  { records, fields }: { records: readonly SourceRecord[]; fields: Fields },
) {
  const byVideo = new Map(fields === 'whole' ? records.map(record => [record.video_id, record]) : [])
  const conversations = groupBy(items, ({ extra }) => String(extra.conversation))
  return [...conversations.values()].map((turns, at) => {
    const [{ video, kind, extra } = turns[0] as DraftItem] = turns
    const { meta, statistics } = byVideo.get(video) ?? {}
    return {
      video_id: video,
      source_videos: 'final',
      title: meta?.title ?? '',
      duration: statistics?.duration ?? 0,
      categories: meta?.categories ?? [],
      sample_id: `sample_${at}`,
      sample_type: turns.length > 1 ? 'multi_turn' : 'single_turn',
      scenario: extra.scenario,
      scenario_id: extra.scenario_id,
      task: kind,
      task_id: extra.task_id,
      conversations: turns.flatMap(buildTurns),
      criteria_count: turns.flatMap(readCriteria).length,
      ...requiredTools(turns),
    }
  })
}
type FinalSample = ReturnType<typeof finalSamples>[number]

function buildTurns(item: DraftItem): Record<string, unknown>[] {
  const { difficulty, modalities, key_segments, conversation_role, tool_calls } = item.extra
  return [
    { role: 'user', content: item.question, difficulty, modalities, key_segments, conversation_role },
    {
      role: 'assistant',
      content: item.answer,
      criteria: readCriteria(item),
      ...(tool_calls !== undefined && { tool_calls }),
    },
  ]
}

// Of an agentic sample: the tools that its turns call.
function requiredTools(turns: readonly DraftItem[]): { required_tools?: string[] } {
  const calls = turns.flatMap(({ extra }) => (extra.tool_calls ?? []) as { tool: string }[])
  return calls.length > 0 ? { required_tools: [...new Set(calls.map(({ tool }) => tool))] } : {}
}

function readCriteria({ extra: { criteria } }: DraftItem): unknown[] {
  return Array.isArray(criteria) ? criteria : []
}

// Without ids, and without what is known of the questions.
export function cleanSample(sample: FinalSample) {
  const { sample_id: _, scenario_id: __, task_id: ___, criteria_count: ____, ...rest } = sample
  const conversations = rest.conversations.map(({ role, content, criteria, tool_calls }) => ({
    role,
    content,
    criteria,
    ...(tool_calls !== undefined && { tool_calls }),
  }))
  return { ...rest, conversations }
}

// What the release counts of its samples, without the time of the making.
export function analyzeSamples(samples: readonly FinalSample[]) {
  const videos = new Map(samples.map(({ video_id, duration }) => [video_id, duration]))
  const durations = [...videos.values()]
  const lengths = samples.map(({ conversations }) => conversations.length)
  const multi = lengths.filter(length => length > 2).map(length => length / 2)
  const turns = samples.flatMap(({ conversations }) => conversations)
  const criteria = samples.map(({ criteria_count }) => criteria_count)
  const having = criteria.filter(count => count > 0).length
  return {
    dataset_info: {
      total_samples: samples.length,
      single_turn_samples: samples.length - multi.length,
      multi_turn_samples: multi.length,
      file_info: files,
    },
    video_statistics: {
      unique_videos: videos.size,
      video_ids: [...videos.keys()],
      duration_stats: {
        ...ends('duration', durations),
        avg_duration: average(durations),
        total_duration: sum(durations),
      },
    },
    content_distribution: {
      categories: count(samples.flatMap(({ categories }) => categories)),
      tasks: count(samples.map(({ task }) => task)),
      scenarios: count(samples.map(({ scenario }) => scenario)),
    },
    conversation_analysis: {
      conversation_length_stats: { ...ends('length', lengths), avg_length: average(lengths) },
      multi_turn_analysis: { avg_turns: average(multi), ...ends('turns', multi), turn_distribution: count(multi) },
    },
    criteria_analysis: {
      total_criteria: sum(criteria),
      avg_criteria_per_sample: average(criteria),
      criteria_distribution: { ...ends('criteria', criteria), criteria_counts: count(criteria) },
    },
    question_metadata_analysis: {
      difficulty_distribution: count(turns.flatMap(({ difficulty }) => difficulty ?? [])),
      modality_distribution: count(turns.flatMap(({ modalities }) => modalities ?? [])),
    },
    quality_metrics: {
      samples_with_criteria: having,
      samples_without_criteria: samples.length - having,
      avg_criteria_coverage: samples.length > 0 ? (100 * having) / samples.length : 0,
    },
  }
}

function ends(name: string, values: readonly number[]): Record<string, number> {
  const [min, max] = values.length > 0 ? [Math.min(...values), Math.max(...values)] : [0, 0]
  return { [`min_${name}`]: min, [`max_${name}`]: max }
}

const average = (values: readonly number[]) => meanOrNull(values) ?? 0
const sum = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0)
const count = (values: readonly unknown[]) => Object.fromEntries(countValues(values))
