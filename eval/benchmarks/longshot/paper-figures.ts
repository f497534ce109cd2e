import type { FigureAbout } from '../paper-figures.ts'

export const longshotFigures: readonly FigureAbout[] = [
  {
    ...{ id: 'longshot:tasks', benchmark: 'longshot', of: 'columns', kind: 'heat', tables: ['longshot:3'] },
    ...{ title: 'Tasks by model', source: 'LongShOT paper, Table 3', unit: 'per cent', top: 100 },
    isOf: key => /^[a-z_]+\.accuracy$/.test(key),
  },
  {
    ...{ id: 'longshot:lengths', benchmark: 'longshot', of: 'columns', kind: 'bars', tables: ['longshot:4'] },
    ...{ title: 'Accuracy by length of the video', source: 'LongShOT paper, Table 4', unit: 'per cent', top: 100 },
    isOf: () => true,
  },
]
