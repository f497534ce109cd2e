import type { FigureAbout } from '../paper-figures.ts'

export const videoEvalProFigures: readonly FigureAbout[] = [
  {
    ...{ id: 'videoeval-pro:fig1', benchmark: 'videoeval-pro', of: 'pairs', table: 'videoeval-pro:2' },
    ...{
      title: 'By choice and in words',
      source: 'as VideoEval-Pro paper, Figure 1; published numbers of its Table 2',
    },
    metrics: { mcq: 'MCQ', open: 'Open' },
  },
  {
    ...{ id: 'videoeval-pro:fig3', benchmark: 'videoeval-pro', of: 'frames' },
    title: 'Accuracy against frames, beside Video-MME',
    source: 'as VideoEval-Pro paper, Figure 3; published points of its Table 2, the best of 32 to 512 frames',
    panels: [
      { metric: 'open', title: 'VideoEval-Pro', published: { table: 'videoeval-pro:2' } },
      { metric: 'video-mme:accuracy', title: 'Video-MME' },
    ],
  },
  {
    ...{ id: 'videoeval-pro:radar', benchmark: 'videoeval-pro', of: 'columns', kind: 'radar' },
    ...{ title: 'Types of questions, in words', source: 'VideoEval-Pro paper, Table 2', unit: 'per cent', top: 100 },
    tables: ['videoeval-pro:2'],
    isOf: key => key.endsWith('.open'),
  },
]
