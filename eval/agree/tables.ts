import type { ReportTable } from '../data/report-table.ts'
import type { Measure } from '../metrics/statistics/measure.ts'
import type { Agreement } from './agreement.ts'

function formatMeasure(measure: Measure | undefined, digits = 2): string {
  if (measure === undefined) return '-'
  const { value, low, high, why } = measure
  if (value === null) return `- (${why})`
  const range = low === null || high === null ? '' : ` (${low.toFixed(digits)} to ${high.toFixed(digits)})`
  return `${value.toFixed(digits)}${range}`
}

// As VideoEval-Pro's Table 5 has it: each pair with its kappa, and the accuracy under each rater.
export function agreementTables(agreements: readonly Agreement[]): ReportTable[] {
  return agreements.flatMap(({ scale, raters, pairs, alpha, ties }): ReportTable[] => {
    const isScore = pairs.some(pair => pair.pearson)
    return [
      {
        title: `Agreement in pairs (${scale})`,
        columns: [
          ...['pair', 'n', 'alike', isScore ? 'kappa (weighted)' : 'kappa', 'kappa of right'],
          ...(isScore ? ['Pearson', 'Spearman'] : []),
          'second gives more',
        ],
        rows: pairs.map(pair => [
          ...[
            `${pair.a} - ${pair.b}`,
            String(pair.share.n),
            formatMeasure(pair.share),
            formatMeasure(pair.kappa),
            formatMeasure(pair.kappaRight),
          ],
          ...(isScore ? [formatMeasure(pair.pearson), formatMeasure(pair.spearman)] : []),
          formatMeasure(pair.bias, 1),
        ]),
        notes: [
          '95 % intervals from drawing whole videos.',
          ...intervalNotes(pairs.flatMap(pair => [pair.share, pair.kappa])),
          ...(ties.length > 0 ? [`Without a majority: ${ties.map(key => key.split('\n')[1]).join(', ')}.`] : []),
        ],
      },
      {
        title: `Score under each rater (${scale})`,
        columns: ['rater', 'kind', 'n', 'per cent'],
        rows: raters.map(({ name, kind, accuracy }) => [name, kind, String(accuracy.n), formatMeasure(accuracy, 1)]),
        notes: [
          `Krippendorff's alpha of all raters: nominal ${formatMeasure(alpha.nominal)}, ordinal ${formatMeasure(alpha.ordinal)}, interval ${formatMeasure(alpha.interval)}.`,
        ],
      },
    ]
  })
}

function intervalNotes(measures: readonly Measure[]): string[] {
  const reasons = new Set(measures.flatMap(({ value, why }) => (value !== null && why ? [why] : [])))
  return [...reasons].map(why => `Left out: ${why}.`)
}
