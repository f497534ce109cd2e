import { publishedTable } from '../published.ts'

const metrics = ['accuracy', 'score', 'overall']
const groups = {
  GA: { group: 'global_appearance', metric: 'accuracy' },
  ST: { group: 'scene_transitions', metric: 'accuracy' },
  CA: { group: 'character_actions', metric: 'accuracy' },
  CU: { group: 'choronological_understanding', metric: 'accuracy' },
  Sum: { group: 'summarization', metric: 'score' },
  Deep: { group: 'deep_context_understanding', metric: 'score' },
  Spoiler: { group: 'spoiler_questions', metric: 'score' },
  Link: { group: 'linking_multiple_events', metric: 'score' },
}

// Validation: what anybody can score.
export const infiniBenchValidation = publishedTable(
  { benchmark: 'infinibench', split: 'validation', source: 'InfiniBench paper, Table 7', metrics, groups },
  `
model              | frames   | GA    | ST    | CA    | CU    | Sum  | Deep | Spoiler | Link | accuracy | score | overall
GPT4o              | 450 FPV  | 54.26 | 50    | 43.96 | 49.66 | 6.2  | 6.49 | 5.61    | 7    | 49.47    | 6.33  | 56.36
Gemini-2.0         | 1 FPS    | 50.39 | 50.79 | 56.61 | 36.6  | 5.7  | 5.4  | 3.41    | 5.94 | 48.6     | 5.11  | 49.86
InternVL3          | 128 FPV  | 33.33 | 28.57 | 23.46 | 36.29 | 3.91 | 3.79 | 3.41    | 5.28 | 30.41    | 4.1   | 35.69
Qwen2VL            | 768 FPV  | 31.01 | 23.81 | 32.59 | 48.41 | 2.26 | 4.23 | 2.93    | 5.14 | 33.96    | 3.64  | 35.18
Qwen2.5VL          | 768 FPV  | 37.98 | 22.22 | 22.53 | 27.17 | 3.22 | 4.13 | 3.67    | 5.34 | 27.48    | 4.09  | 34.19
LLava-OneVision    | 128 FPV  | 37.21 | 25.4  | 20.11 | 43.91 | 1.99 | 3.66 | 3.28    | 5.21 | 31.66    | 3.54  | 33.5
Goldfish           | 60 FPW   | 20.93 | 12.7  | 21.97 | 38.48 | 2.88 | 4.85 | 3.61    | 5.48 | 23.52    | 4.21  | 32.79
InternVL2          | 128 FPV  | 24.03 | 15.87 | 22.16 | 42.16 | 2.74 | 3.37 | 2.87    | 5.02 | 26.06    | 3.5   | 30.53
VideoChat-Flash    | 1000 FPV | 28.68 | 20.63 | 33.33 | 29.73 | 2.45 | 3.24 | 2.35    | 4.2  | 28.09    | 3.06  | 29.35
InternVL2.5        | 128 FPV  | 34.88 | 20.63 | 21.6  | 32.79 | 2.6  | 2.78 | 2.35    | 4.2  | 27.48    | 2.98  | 28.65
InternLM-XComposer | 16 FPW   | 32.56 | 14.29 | 28.49 | 30.11 | 1.72 | 2.5  | 2.11    | 4.13 | 26.36    | 2.62  | 26.26
MiniGPT4-video     | 60 FPV   | 17.83 | 11.11 | 27    | 40.1  | 2.04 | 2.87 | 2.15    | 3.39 | 24.01    | 2.61  | 25.07
LongVU             | 512 FPV  | 20.93 | 15.87 | 21.42 | 29.86 | 1.7  | 2.84 | 3.07    | 3.53 | 22.02    | 2.79  | 24.94
`,
)

// Test: scored by the makers.
export const infiniBenchTest = publishedTable(
  { benchmark: 'infinibench', split: 'test', source: 'InfiniBench paper, Table 3', metrics, groups },
  `
model              | frames   | GA    | ST   | CA   | CU   | Sum | Deep | Spoiler | Link | accuracy | score | overall
GPT-4o             | 450 FPV  | 49.7  | 37.7 | 39.9 | 61   | 6.3 | 6.4  | 6.6     | 6.8  | 47.1     | 6.5   | 56
Gemini-2.0         | 1 FPS    | 45.1  | 39.3 | 50   | 50.1 | 5.7 | 6    | 4.3     | 5.4  | 46.1     | 5.4   | 49.9
InternVL3          | 128 FPV  | 34.3  | 27.7 | 20.5 | 31.1 | 3.8 | 3.7  | 3.3     | 5.3  | 28.4     | 4     | 34.4
Qwen2.5VL          | 768 FPV  | 30    | 25.3 | 22.7 | 20.3 | 3.3 | 4.3  | 3.4     | 5.4  | 24.6     | 4.1   | 32.8
Qwen2VL            | 768 FPV  | 23.5  | 28.2 | 30.2 | 27.4 | 2.2 | 4.3  | 3.5     | 5    | 27.3     | 3.8   | 32.5
Goldfish           | 60 FPW   | 16.2  | 22.9 | 21.3 | 25.4 | 3   | 4.9  | 3.4     | 5.6  | 21.5     | 4.2   | 31.9
VideoChat-Flash    | 1000 FPV | 20.5  | 29.5 | 34.9 | 37.4 | 2.6 | 3.4  | 2.2     | 4.2  | 30.6     | 3.1   | 30.9
InternVL2          | 128 FPW  | 26.6  | 24.9 | 21.5 | 26.6 | 2.9 | 3.5  | 3       | 5    | 24.9     | 3.6   | 30.4
LLava-OneVision    | 128 FPV  | 21    | 24.7 | 23.3 | 30.3 | 2   | 3.7  | 2.7     | 5.1  | 24.8     | 3.4   | 29.4
InternVL2.5        | 128 FPV  | 27.1  | 25.1 | 21.2 | 29.2 | 2.4 | 2.8  | 2.1     | 4.2  | 25.6     | 2.9   | 27.4
InternLM-XComposer | 16 FPW   | 20.1  | 27.9 | 26.6 | 26.4 | 1.6 | 2.6  | 2.2     | 4    | 25.2     | 2.6   | 25.7
LongVU             | 512 FPV  | 27.67 | 21   | 27.9 | 19   | 1.7 | 2.9  | 2.7     | 3.6  | 23.9     | 2.7   | 25.6
MiniGPT4-video     | 60 FPV   | 18.1  | 23.1 | 25.9 | 23.1 | 2   | 2.9  | 2       | 3.3  | 22.5     | 2.6   | 24.1
`,
)

// The test split before questions were filtered out that need no video.
export const infiniBenchUnfiltered = publishedTable(
  { benchmark: 'infinibench', split: 'test_unfiltered', source: 'InfiniBench paper, Table 8', metrics, groups },
  `
model              | frames   | GA    | ST    | CA    | CU    | Sum  | Deep | Spoiler | Link | accuracy | score | overall
GPT4o              | 450 FPV  | 51.83 | 42.91 | 43.49 | 77.15 | 6.32 | 6.82 | 6.73    | 7.47 | 53.85    | 6.84  | 61.1
Gemini-2.0         | 1 FPS    | 46.73 | 44.59 | 55.94 | 67.62 | 5.8  | 6.56 | 4.36    | 6.19 | 53.72    | 5.73  | 55.5
Qwen2.5VL          | 768 FPV  | 32.78 | 30.1  | 30.04 | 41.36 | 3.35 | 4.84 | 3.71    | 6.46 | 33.57    | 4.59  | 39.74
InternVL3          | 128 FPV  | 35.93 | 27.76 | 24.75 | 41.17 | 3.86 | 4.06 | 3.57    | 6.19 | 32.4     | 4.42  | 38.3
Qwen2VL            | 768 FPV  | 25.37 | 31.37 | 34.91 | 36.68 | 2.23 | 4.87 | 3.59    | 6.03 | 32.08    | 4.18  | 36.94
Goldfish           | 60 FPW   | 17.28 | 24.45 | 24.03 | 29.32 | 3.02 | 5.45 | 3.61    | 6.56 | 23.77    | 4.66  | 35.19
VideoChat-Flash    | 1000 FPV | 21.48 | 31.37 | 37.48 | 48.14 | 2.64 | 3.93 | 2.38    | 5.1  | 34.62    | 3.51  | 34.87
LLava-OneVision    | 128 FPV  | 23.15 | 27.57 | 27.04 | 41.07 | 2.04 | 4.04 | 3.18    | 6.12 | 29.71    | 3.85  | 34.08
InternVL2          | 128 FPV  | 27.72 | 26.18 | 23.89 | 30.47 | 2.89 | 3.74 | 3.16    | 5.96 | 27.07    | 3.94  | 33.22
InternVL2.5        | 128 FPV  | 28.58 | 27.1  | 25.18 | 34    | 2.46 | 3.1  | 2.3     | 5.1  | 28.72    | 3.24  | 30.56
InternLM-XComposer | 16 FPW   | 22.53 | 30.33 | 30.33 | 34.48 | 1.63 | 2.86 | 2.43    | 5.02 | 29.42    | 2.99  | 29.63
LongVU             | 512 FPV  | 27.04 | 22.38 | 25.89 | 21.49 | 1.7  | 3.26 | 3       | 4.19 | 24.2     | 3.04  | 27.29
MiniGPT4-video     | 60 FPV   | 18.52 | 25.84 | 29.18 | 25.79 | 2.09 | 3.09 | 2.21    | 3.89 | 24.83    | 2.82  | 26.52
`,
)
