import type { Dict } from '../python-error.ts'
import { truthy } from '../python-error.ts'
import { dict, list } from './questions.ts'

// What a data set holds, as the released pipeline reports it (dataset_analysis.json), without its times and file names.
export function analyse(samples: readonly Dict[]): Dict {
  const of = (type: string) => samples.filter(sample => sample.sample_type === type)
  const turns = (sample: Dict) => list(sample.conversations).map(dict)
  const users = (sample: Dict) => turns(sample).filter(turn => turn.role === 'user')
  const durations = samples
    .map(sample => sample.duration)
    .filter((value): value is number => typeof value === 'number' && value !== 0)
  const lengths = samples.map(sample => turns(sample).length)
  const asked = of('multi_turn').map(sample => users(sample).length)
  const criteria = samples.map(sample => Number(sample.criteria_count ?? 0))
  const questions = samples.flatMap(users)
  return {
    dataset_info: {
      total_samples: samples.length,
      single_turn_samples: of('single_turn').length,
      multi_turn_samples: of('multi_turn').length,
    },
    video_statistics: {
      unique_videos: new Set(samples.map(sample => sample.video_id)).size,
      video_ids: [...new Set(samples.map(sample => String(sample.video_id)))].sort(),
      duration_stats: {
        min_duration: least(durations),
        max_duration: most(durations),
        avg_duration: mean(durations),
        total_duration: sum(durations),
      },
    },
    content_distribution: {
      categories: counts(samples.flatMap(sample => list(sample.categories))),
      tasks: counts(samples.map(sample => sample.task)),
      scenarios: counts(samples.map(sample => sample.scenario)),
    },
    conversation_analysis: {
      conversation_length_stats: { min_length: least(lengths), max_length: most(lengths), avg_length: mean(lengths) },
      multi_turn_analysis: {
        avg_turns: mean(asked),
        min_turns: least(asked),
        max_turns: most(asked),
        turn_distribution: counts(asked),
      },
    },
    criteria_analysis: {
      total_criteria: sum(criteria),
      avg_criteria_per_sample: mean(criteria),
      criteria_distribution: {
        min_criteria: least(criteria),
        max_criteria: most(criteria),
        criteria_counts: counts(criteria),
      },
    },
    question_metadata_analysis: {
      difficulty_distribution: counts(questions.map(turn => turn.difficulty).filter(truthy)),
      modality_distribution: counts(questions.flatMap(turn => list(turn.modalities))),
    },
    quality_metrics: {
      samples_with_criteria: criteria.filter(count => count > 0).length,
      samples_without_criteria: criteria.filter(count => count === 0).length,
      avg_criteria_coverage:
        samples.length === 0 ? 0 : (criteria.filter(count => count > 0).length / samples.length) * 100,
    },
  }
}

function counts(values: readonly unknown[]): Record<string, number> {
  const found: Record<string, number> = {}
  for (const value of values) found[String(value)] = (found[String(value)] ?? 0) + 1
  return found
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const mean = (values: readonly number[]) => (values.length === 0 ? 0 : sum(values) / values.length)
const least = (values: readonly number[]) => (values.length === 0 ? 0 : Math.min(...values))
const most = (values: readonly number[]) => (values.length === 0 ? 0 : Math.max(...values))
