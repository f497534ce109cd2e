import type { Sample } from '../../../data/sample.ts'
import type { CalibrationQuestion } from './calibration-set.ts'

// An item of a shipped set as a sample of any benchmark: it has no video.
export function shortSample(item: CalibrationQuestion): Sample {
  const { id, question, target } = item
  return { id, video: '', question: { text: question }, reference: target, groups: {}, record: item }
}
