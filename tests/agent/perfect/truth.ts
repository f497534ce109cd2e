import type { NeedleRecord } from '../../../eval/benchmarks/needle/record.ts'
import { notInVideo } from '../../../eval/benchmarks/needle/record.ts'
import type { Span } from '../../../src/core/time.ts'

// What is true of one question of a made set.
export interface Truth {
  question: string
  answer: string
  options?: string[]
  right?: number // index of the right option, from 0
  clues: Span[] // where the video shows or says it; none if the video does not say it
  needs: 'rows' | 'frames' // frames: no row of the index holds it
}

export function truthOfNeedle(record: NeedleRecord): Truth {
  return {
    question: record.question,
    answer: record.expect.form === 'abstain' ? notInVideo : record.answer,
    options: record.choices,
    right: record.right_answer.charCodeAt(0) - 65,
    clues: record.clue_intervals.map(([start, end]) => ({ start, end })),
    needs: record.kind === 'fact-picture' ? 'frames' : 'rows',
  }
}
