import type { FigureAbout } from '../paper-figures.ts'

export const infiniBenchFigures: readonly FigureAbout[] = [
  {
    ...{ id: 'infinibench:frames', benchmark: 'infinibench', of: 'frames' },
    ...{ title: 'Accuracy and score against frames', source: 'InfiniBench paper, Table 4' },
    panels: [
      { metric: 'accuracy', title: 'Avg. Acc.', published: { table: 'infinibench:4' } },
      { metric: 'score', title: 'Avg. Score', unit: 'of 10', top: 10, published: { table: 'infinibench:4' } },
    ],
  },
  ...(['accuracy', 'score'] as const).flatMap(kind =>
    (['heat', 'radar'] as const).map(form => ({
      ...{ id: `infinibench:${kind}-${form}`, benchmark: 'infinibench', of: 'columns' as const, kind: form },
      title: kind === 'accuracy' ? 'Grounding skills' : 'Reasoning skills',
      source: 'InfiniBench paper, Tables 7 and 3',
      tables: ['infinibench:7', 'infinibench:3'],
      ...(kind === 'accuracy' ? { unit: 'per cent', top: 100 } : { unit: 'of 10', top: 10 }),
      isOf: (key: string) => key.includes(`.${kind}`),
    })),
  ),
]
