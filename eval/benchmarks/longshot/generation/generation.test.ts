import { expect, test } from 'vitest'
import { oracle, withOracle } from '../../../../tests/support/oracle.ts'
import type { Dict } from '../python-error.ts'
import { analyse } from './analysis.ts'
import { cleanSample, finalSamples } from './finalize.ts'
import { type QuestionType, withMeaning, withQuestionIds } from './questions.ts'
import { withWeights } from './rubric.ts'
import { captionFrames, captionSegments, type SpeechSegment } from './segments.ts'

withOracle('longshot/outputs/datagen_weights.json', 'longshot/outputs/datagen_questions.json')(
  'rubric weights and question ids',
  () => {
    test('the weight of a criterion follows from its category', () => {
      const weights = oracle<{ in: Dict[]; out: Dict[] }>('longshot/outputs/datagen_weights.json')
      expect(withWeights(weights.in)).toEqual(weights.out)
    })

    test('ids count questions, conversations and turns from 1', () => {
      const questions = oracle<{ in: Dict; with_ids: Dict }>('longshot/outputs/datagen_questions.json')
      expect(withQuestionIds(questions.in, { video: 'v1', scenario: 'v1_s1', task: 'v1_s1_t1' })).toEqual(
        questions.with_ids,
      )
    })

    test('question types are found by id, by written-out name and by their beginning', () => {
      type Enriched = { question_type: string } & Partial<QuestionType>
      const { enriched_types } = oracle<{ enriched_types: Enriched[] }>('longshot/outputs/datagen_questions.json')
      const entry = (place: number) => ({
        description: String(enriched_types[place].description),
        example: String(enriched_types[place].example),
      })
      const catalogue = { direct_fact: entry(0), timestamp_identification: entry(1), count_measure: entry(3) }
      expect(
        withMeaning(
          enriched_types.map(type => type.question_type),
          catalogue,
        ),
      ).toEqual(enriched_types)
    })
  },
)

withOracle('longshot/outputs/datagen_finalization.json', 'longshot/inputs/final/v1.json')('the data set', () => {
  const stages = oracle<
    Record<'questions' | 'answers' | 'criteria' | 'final_dataset' | 'clean_dataset', Dict[]> & {
      dataset_analysis: Dict
    }
  >('longshot/outputs/datagen_finalization.json')

  test('samples are joined by their ids, a failed turn of a conversation included', () => {
    expect(finalSamples(stages.questions, stages.answers, stages.criteria, 'final')).toEqual(stages.final_dataset)
  })

  test('the published form has no ids and no tags', () => {
    expect(stages.final_dataset.map(cleanSample)).toEqual(stages.clean_dataset)
  })

  test('the report on the data set', () => {
    const { generation_timestamp: _, file_info: __, ...info } = stages.dataset_analysis.dataset_info as Dict
    expect(analyse(stages.final_dataset)).toEqual({ ...stages.dataset_analysis, dataset_info: info })
  })

  test('title and duration lie in the video file where the release does not look', () => {
    const file = oracle<{ video: Dict }>('longshot/inputs/final/v1.json')
    expect(file.video.duration).toBeGreaterThan(0)
    expect(stages.final_dataset[0].duration).toBe(0)
  })
})

withOracle('longshot/outputs/preprocess_segments.json', 'longshot/outputs/preprocess_frame_counts.json')(
  'segments for captions',
  () => {
    test('speech, and silence where a gap is long', () => {
      interface Segments {
        speech: SpeechSegment[]
        duration: number
        segments: unknown[]
      }
      for (const [name, { speech, duration, segments }] of Object.entries(
        oracle<Record<string, Segments>>('longshot/outputs/preprocess_segments.json'),
      ))
        expect(captionSegments(speech, duration), name).toEqual(segments)
    })

    test('frames by length', () => {
      for (const { duration, frames } of oracle<{ duration: number; frames: number }[]>(
        'longshot/outputs/preprocess_frame_counts.json',
      ))
        expect(captionFrames(duration), String(duration)).toBe(frames)
    })
  },
)
