import { publishedTable } from '../published.ts'

const metrics = ['clue_acc', 'long_acc', 'miou', 'rec_at_iou', 'acc_at_iou', 'crr', 'oe_acc']

// The mini set (3,000 questions, 1,118 videos): the leaderboard page of December 2024.
export const cgBenchMini = publishedTable(
  { benchmark: 'cg-bench', split: 'mini', source: 'CG-Bench leaderboard page, 2024-12-17', metrics },
  `
model              | params | frames_clue | frames_long | clue_acc | long_acc | miou | rec_at_iou | acc_at_iou | crr  | oe_acc
Videochat2         | 7B     | 16          | 16          | 35.5     | 19.1     | 1.07 | 1.91       | 0.91       | 53.8 | 18.4
VideoLLaMA         | 7B     | 32          | 32          | 36.5     | 18       | 1.14 | 1.93       | 0.74       | 49.3 | 16
Video-LLaVA        | 7B     | 8           | 8           | 33.4     | 16.8     | 1.01 | 1.89       | 0.64       | 50.3 | 12
ST-LLM             | 7B     | 32          | 64          | 39.1     | 24.7     | 2.13 | 2.83       | 1.27       | 63.2 | 20
Chat-UniVi-v1.5    | 13B    | 32          | 64          | 41.2     | 26.7     | 1.91 | 2.45       | 1.29       | 64.7 | 21.8
ShareGPT4Video     | 16B    | 16          | 16          | 40.9     | 27.1     | 2.07 | 2.39       | 1.02       | 66.4 | 21.5
Qwen-VL-Chat       | 7B     | 4           | 4           | 37.7     | 20.7     | 0.93 | 1.06       | 0.52       | 54.9 | 20.1
ViLA               | 8B     | 14          | 14          | 41.4     | 28.1     | 1.98 | 2.51       | 1.43       | 67.8 | 23.8
InternVL-Chat-v1.5 | 20B    | 10          | 10          | 42       | 28.5     | 1.85 | 2.48       | 1.09       | 67.9 | 22.9
MiniCPM-v2.6       | 8B     | 32          | 32          | 44.4     | 29.9     | 2.27 | 2.41       | 0.94       | 67.3 | 26.3
Kangaroo           | 8B     | 32          | 64          | 46.4     | 31.2     | 2.32 | 2.97       | 1.54       | 67.2 | 25.9
LLaVA-OneVision    | 7B     | 16          | 16          | 43.7     | 30.9     | 1.56 | 1.72       | 1.19       | 70.7 | 25
Video-CCAM         | 14B    | 32          | 96          | 42.9     | 29.1     | 2.76 | 3.57       | 1.85       | 67.8 | 24.8
LongVA             | 7B     | 32          | 128         | 42.6     | 28.7     | 2.91 | 3.15       | 1.32       | 67.4 | 24.2
VITA               | 8x7B   | 32          | 32          | 47.4     | 33       | 2.99 | 3.16       | 2.15       | 69.6 | 28
Qwen2-VL           | 72B    | 32          | 128         | 57.8     | 45.3     | 3.64 | 5.11       | 3.17       | 78.4 | 33.7
InternVL2.5        | 72B    | 32          | 32          | 59.5     | 44.2     | 3.9  | 5.05       | 2.46       | 74.3 | 34.2
GPT-4o-08-06       | -      | 32          | 128         | 58.6     | 44.9     | 5.73 | 8.12       | 4.33       | 76.6 | 39.2
GPT-4mini-08-06    | -      | 32          | 128         | 48.4     | 32.6     | 3.68 | 5.07       | 2.13       | 67.4 | 24.9
Gemini-1.5-Pro     | -      | 32          | 128         | 50.9     | 37.8     | 3.85 | 5.61       | 2.64       | 74.3 | 28.7
Gemini-1.5-Flash   | -      | 32          | 128         | 48.4     | 33.5     | 3.43 | 5.1        | 2.49       | 69.2 | 24.6
Claude3.5-Sonnet   | -      | 32          | 50          | 56.5     | 40.3     | 4.17 | 5.99       | 2.73       | 71.3 | 35.6
`,
)

// The full set (12,129 questions). The ablations of the paper (Tables 4, 6, 10) give other numbers for the same model.
export const cgBenchFull = publishedTable(
  { benchmark: 'cg-bench', split: 'full', source: 'CG-Bench paper, Table 3', metrics },
  `
model                 | params | frames_clue | frames_long | clue_acc | long_acc | miou | rec_at_iou | acc_at_iou | crr  | oe_acc
Random                | -      | -           | -           | 14.2     | 14.2     | 0.13 | 0.16       | 0.09       | 100  | 0
Human (full-video)    | -      | -           | -           | 92.2     | 90.3     | 35.5 | 51.2       | 29.8       | 97.9 | 83.7
Human (sparse frames) | -      | -           | 128         | -        | 59.9     | -    | -          | -          | -    | -
GPT4o (text)          | -      | 0           | 0           | 16.8     | 16.8     | 0.14 | 0.2        | 0.15       | 100  | 2.1
Video-LLAVA           | 7B     | 8           | 8           | 34.2     | 16.2     | 1.13 | 1.96       | 0.59       | 47.4 | 12.3
VideoLLAMA            | 7B     | 32          | 32          | 36.8     | 18.4     | 1.21 | 1.87       | 0.84       | 50   | 15.8
Videochat2            | 7B     | 16          | 16          | 35.2     | 19.3     | 1.28 | 1.98       | 0.94       | 54.8 | 18.6
Qwen-VL-Chat          | 7B     | 4           | 4           | 38.3     | 21.6     | 0.89 | 1.19       | 0.42       | 56.4 | 19.4
ST-LLM                | 7B     | 32          | 64          | 39.6     | 23.8     | 2.23 | 2.86       | 1.13       | 60.1 | 20.7
ShareGPT4Video        | 16B    | 16          | 16          | 41.4     | 26.7     | 1.85 | 2.65       | 1.01       | 64.5 | 22
Chat-UniVi-v1.5       | 13B    | 32          | 64          | 41.5     | 25.9     | 2.07 | 2.53       | 1.21       | 62.4 | 21.4
ViLA                  | 8B     | 14          | 14          | 41.8     | 28.7     | 1.56 | 2.89       | 1.35       | 68.7 | 24
GroundVQA             | 0.25B  | -           | 1200        | 27.3     | -        | 1.33 | 1.37       | -          | -    | -
GeLM                  | 7B     | -           | 100         | -        | -        | 2.25 | 2.81       | -          | -    | -
ET-Chat               | 4B     | -           | 1fps        | 17.6     | -        | 1.38 | 1.43       | -          | -    | -
InternVL-Chat-v1.5    | 20B    | 10          | 10          | 42.5     | 28.9     | 2.18 | 2.38       | 1.15       | 68   | 23.1
MiniCPM-v2.6          | 8B     | 32          | 32          | 44.6     | 30.1     | 2.35 | 2.61       | 1.04       | 67.5 | 26.6
LongVA                | 7B     | 32          | 128         | 42.8     | 28.7     | 2.94 | 3.86       | 1.78       | 67.1 | 25.1
LLaVA-OneVision       | 7B     | 16          | 16          | 43.2     | 31.1     | 1.63 | 1.78       | 1.08       | 72   | 25.4
Video-CCAM            | 14B    | 32          | 96          | 43.6     | 29.7     | 2.63 | 3.48       | 1.83       | 68.1 | 25.3
Kangaroo              | 8B     | 32          | 64          | 45.9     | 30.2     | 2.56 | 2.81       | 1.94       | 65.8 | 24.5
VITA                  | 8x7B   | 32          | 32          | 47.8     | 33.3     | 3.06 | 3.53       | 2.06       | 69.7 | 27.5
Qwen2-VL              | 72B    | 32          | 128         | 56.2     | 41.3     | 3.58 | 5.32       | 3.31       | 73.5 | 33.6
InternVL2             | 78B    | 32          | 32          | 58.5     | 42.2     | 3.91 | 5.05       | 2.64       | 72.1 | 32.5
GPT-4o-08-06          | -      | 32          | 128         | 58.3     | 45.2     | 5.62 | 8.3        | 4.38       | 77.5 | 39.5
GPT-4mini-08-06       | -      | 32          | 128         | 48.3     | 33.4     | 3.75 | 5.18       | 2.21       | 69.2 | 25.4
Gemini-1.5-Pro        | -      | 32          | 128         | 50.1     | 37.2     | 3.95 | 5.81       | 2.53       | 74.3 | 29.3
Gemini-1.5-Flash      | -      | 32          | 128         | 47       | 32.3     | 3.67 | 5.44       | 2.45       | 68.7 | 26.3
Claude3.5-Sonnet      | -      | 32          | 50          | 56.2     | 40.5     | 3.99 | 5.67       | 2.79       | 72.1 | 35.2
`,
)
