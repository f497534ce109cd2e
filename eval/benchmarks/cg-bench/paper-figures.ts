import { type FigureAbout, tenMinutes } from '../paper-figures.ts'

const minutes = [...tenMinutes, [60, Number.POSITIVE_INFINITY] as const]
const rowsOf50And128 = { table: 'cg-bench:6', where: { picture: 'Low', sampling: 'Uniform' } }

export const cgBenchFigures: readonly FigureAbout[] = [
  {
    ...{ id: 'cg-bench:fig5', benchmark: 'cg-bench', of: 'coverage' },
    ...{ title: 'Where in the videos the clues are', source: 'as CG-Bench paper, Figure 5' },
  },
  {
    ...{ id: 'cg-bench:fig7', benchmark: 'cg-bench', of: 'frames' },
    ...{ title: 'Metrics against frames', source: 'as CG-Bench paper, Figure 7; published points of its Table 6' },
    panels: [
      { metric: 'clue_acc', title: 'clue-acc.' },
      { metric: 'long_acc', title: 'long-acc.', published: rowsOf50And128 },
      { metric: 'miou', title: 'mIoU' },
      { metric: 'acc_at_iou_0', title: 'acc.@IoU, τ = 0' }, // as in all of the paper's ablations
      { metric: 'crr', title: 'CRR' },
      { metric: 'oe_acc', title: 'OE-acc.' },
    ],
  },
  {
    ...{ id: 'cg-bench:fig9', benchmark: 'cg-bench', of: 'lengths', task: 'long_acc', minutes },
    ...{ title: 'long-acc. by length of the video', source: 'as CG-Bench paper, Figure 9' },
    names: Object.fromEntries(
      minutes.map(([from, below]) => [`${from}-${below}`, `${below > 60 ? '60+' : `${from} ~ ${below}`}.long_acc`]),
    ),
  },
]
