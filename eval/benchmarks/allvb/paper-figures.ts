import type { FigureAbout } from '../paper-figures.ts'
import { allvbTasks } from './record.ts'

export const allvbFigures: readonly FigureAbout[] = [
  {
    ...{ id: 'allvb:tasks', benchmark: 'allvb', of: 'columns', kind: 'heat', tables: ['allvb:2'] },
    ...{ title: 'Tasks by model', source: 'ALLVB paper, Table 2', unit: 'per cent', top: 100 },
    isOf: key => key.endsWith('.accuracy'),
  },
  {
    ...{ id: 'allvb:fig12-19', benchmark: 'allvb', of: 'sub-tasks', tasks: allvbTasks },
    ...{ title: 'Sub-tasks', source: 'as ALLVB paper, Figures 12 to 19' },
  },
  {
    ...{ id: 'allvb:lengths', benchmark: 'allvb', of: 'columns', kind: 'bars', tables: ['allvb:3'] },
    ...{ title: 'Accuracy by length of the film', source: 'ALLVB paper, Table 3', unit: 'per cent', top: 100 },
    isOf: () => true,
  },
  {
    ...{ id: 'allvb:frames', benchmark: 'allvb', of: 'frames' },
    ...{ title: 'Accuracy against frames', source: 'ALLVB paper, Table 4' },
    panels: [{ metric: 'average', title: 'Avg. Acc.', published: { table: 'allvb:4' } }],
  },
]
