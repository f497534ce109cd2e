import { publishedTable } from '../published.ts'

const categories = {
  Core: { group: 'Core Perception Tasks', metric: 'accuracy' },
  Reason: { group: 'Reasoning Tasks', metric: 'accuracy' },
  Inform: { group: 'Information Tasks', metric: 'accuracy' },
  Multi: { group: 'Multimodal Tasks', metric: 'accuracy' },
}
const tasks = {
  ER: { group: 'entity_recognition', metric: 'accuracy' },
  EU: { group: 'event_understanding', metric: 'accuracy' },
  TR: { group: 'temporal_reasoning', metric: 'accuracy' },
  AU: { group: 'audio_understanding', metric: 'accuracy' },
  CR: { group: 'causal_reasoning', metric: 'accuracy' },
  QR: { group: 'quantitative_reasoning', metric: 'accuracy' },
  CR2: { group: 'compositional_reasoning', metric: 'accuracy' },
  CA: { group: 'comparative_analysis', metric: 'accuracy' },
  IR: { group: 'information_retrieval', metric: 'accuracy' },
  S: { group: 'summarization', metric: 'accuracy' },
  IE: { group: 'instruction_extraction', metric: 'accuracy' },
  SA: { group: 'sentiment_analysis', metric: 'accuracy' },
  MS: { group: 'multimodal_synthesis', metric: 'accuracy' },
  CMV: { group: 'cross_modal_verification', metric: 'accuracy' },
  AVA: { group: 'audio_visual_alignment', metric: 'accuracy' },
  MA: { group: 'motion_analysis', metric: 'accuracy' },
}
const durations = Object.fromEntries(['0-30', '30-60', '>60'].map(group => [group, { group, metric: 'accuracy' }]))

const paper = { benchmark: 'longshot', split: 'v1', metrics: ['overall'] }

// First version, judge Qwen3-14B. Recomputed from the tasks, the multimodal average of LLaVA-NeXT-Video is 21.15 (its overall
// uses that) and the overall of Qwen2.5-VL 18.31.
export const longshotCategories = publishedTable(
  { ...paper, source: 'LongShOT paper, Table 3', groups: categories, also: ['agentic'] },
  `
model               | Core  | Reason | Inform | Multi | overall | agentic
Gemini-2.5-Flash    | 41.04 | 61.65  | 54.65  | 54.49 | 52.95   | 40.27
LLaVA-OneVision-7B  | 7.09  | 8.06   | 8.92   | 9.96  | 8.51    | -
LLaVA-NeXT-Video-7B | 10.16 | 11.39  | 12.35  | 13.82 | 13.76   | -
Qwen2.5-VL-7B       | 14.48 | 19.59  | 16.28  | 22.89 | 18.39   | -
InternVL3.5-8B      | 15.66 | 20.20  | 18.52  | 27.56 | 20.49   | -
Qwen2.5-Omni-7B     | 15.34 | 18.53  | 16.51  | 23.17 | 18.39   | -
Qwen3-VL-8B         | 24.70 | 29.16  | 26.13  | 36.51 | 29.12   | -
LongShOTAgent       | 36.28 | 49.45  | 45.30  | 47.59 | 44.66   | 38.25
`,
)

export const longshotTasks = publishedTable(
  { ...paper, metrics: [], source: 'LongShOT paper, Table 3, tasks', groups: tasks },
  `
model               | ER    | EU    | TR    | AU    | CR    | QR    | CR2   | CA    | IR    | S     | IE    | SA    | MS    | CMV   | AVA   | MA
Gemini-2.5-Flash    | 43.62 | 41.84 | 41.23 | 37.46 | 68.41 | 49.56 | 57.37 | 71.24 | 61.02 | 58.86 | 46.53 | 52.18 | 55.38 | 50.45 | 50.89 | 61.22
LLaVA-OneVision-7B  | 8.12  | 6.66  | 7.50  | 6.08  | 9.01  | 1.79  | 11.70 | 9.73  | 9.14  | 12.92 | 8.33  | 5.31  | 8.92  | 4.60  | 9.33  | 16.98
LLaVA-NeXT-Video-7B | 11.16 | 9.60  | 10.34 | 9.53  | 14.43 | 2.92  | 14.60 | 13.61 | 13.42 | 18.22 | 9.90  | 7.86  | 11.34 | 10.91 | 15.19 | 47.17
Qwen2.5-VL-7B       | 20.54 | 14.21 | 14.11 | 9.07  | 24.76 | 13.34 | 19.56 | 20.72 | 18.78 | 18.61 | 14.62 | 13.10 | 19.14 | 10.81 | 21.05 | 40.57
InternVL3.5-8B      | 19.95 | 14.47 | 15.88 | 12.36 | 23.98 | 14.64 | 22.14 | 20.05 | 21.41 | 22.72 | 15.91 | 14.03 | 18.99 | 12.31 | 24.23 | 54.72
Qwen2.5-Omni-7B     | 17.03 | 13.95 | 14.17 | 16.20 | 23.73 | 12.92 | 19.53 | 17.93 | 18.60 | 19.16 | 13.04 | 15.23 | 16.59 | 11.21 | 22.41 | 42.45
Qwen3-VL-8B         | 27.30 | 22.19 | 23.08 | 26.22 | 32.58 | 20.42 | 33.13 | 30.53 | 29.58 | 28.84 | 23.50 | 22.59 | 27.95 | 16.82 | 29.58 | 71.70
LongShOTAgent       | 42.84 | 35.41 | 31.35 | 35.51 | 54.26 | 45.16 | 45.52 | 52.87 | 48.87 | 60.17 | 38.47 | 33.70 | 44.15 | 37.79 | 44.26 | 64.15
`,
)

// Buckets of the paper, in minutes; the released scorer cuts at 30 and 45.
export const longshotDurations = publishedTable(
  { ...paper, metrics: [], source: 'LongShOT paper, Table 4', groups: durations },
  `
model               | 0-30 | 30-60 | >60
Gemini-2.5-Flash    | 55.6 | 48.6  | 47.2
LLaVA-OneVision-7B  | 19.4 | 9.5   | 5.7
LLaVA-NeXT-Video-7B | 19.4 | 10.0  | 16.7
Qwen2.5-VL-7B       | 34.6 | 16.1  | 13.7
InternVL3.5-8B      | 32.9 | 21.8  | 16.5
Qwen2.5-Omni-7B     | 32.5 | 15.5  | 16.4
Qwen3-VL-8B         | 25.4 | 28.2  | 32.7
LongShOTAgent       | 45.9 | 41.7  | 40.5
`,
)

// Second version: three numbers of the README, without judge or table.
export const longshotSecondVersion = publishedTable(
  { benchmark: 'longshot', split: 'v2', source: 'LongShOT repository, README of version 2', metrics: ['overall'] },
  `
model          | overall
Gemini 3.1 Pro | 55.63
Qwen3-Omni 30B | 64.05
LongShOTAgent  | 66.64
`,
)
