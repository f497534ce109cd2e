import { formatScore, type ReportTable } from '../data/report-table.ts'
import type { Swap } from './swap.ts'
import { agreementTables } from './tables.ts'

const share = (value: number | null) => (value === null ? '-' : value.toFixed(2))

export function swapTables(swap: Swap): ReportTable[] {
  const { judges, runs, orders, agreements, ownFamily, cost, repeats } = swap
  const [first, ...others] = judges
  const unjudged = runs.flatMap(run => run.unjudged.map((count, at) => ({ count, judge: judges[at], run: run.run })))
  const unjudgedJudges = unjudged.filter(({ count }) => count > 0)
  const tables: ReportTable[] = [
    {
      title: 'Runs under each judge, strictly',
      columns: ['run', 'model', ...judges, ...others.map(judge => `${judge} - ${first}`)],
      rows: runs.map(({ run, model, scores, difference }) => [
        ...[run, model, ...scores.map(formatScore)],
        ...difference
          .slice(1)
          .map(of => (of ? `${formatScore(of.difference)} (${formatScore(of.low)} to ${formatScore(of.high)})` : '-')),
      ]),
      notes: [
        'Per cent of the answers with a verdict; 95 % intervals from drawing whole videos.',
        ...unjudgedJudges.map(({ count, judge, run }) => `${judge} left ${count} answers of ${run} without a verdict.`),
      ],
    },
    {
      title: 'The order of the runs',
      columns: ['judges', 'rank correlation', 'largest change of rank', 'of'],
      rows: orders.map(order => [
        order.judges.join(' - '),
        ...[share(order.correlation), String(order.largestChange), order.run ?? '-'],
      ]),
      notes: ['Spearman; undefined (-) for fewer than two runs, or where all are equal.'],
    },
    ...agreementTables(agreements),
    {
      title: 'Own family',
      columns: ['judge', 'family', 'residual'],
      rows: ownFamily.map(({ judge, family, residual, why }) => [
        judge,
        family,
        residual === null ? `- (${why})` : formatScore(residual),
      ]),
      notes: [
        "Points that a judge gives its own maker's runs more than the other judges do, less the same for runs of others.",
      ],
    },
    {
      title: 'What judging took',
      columns: ['judge', 'verdicts', 'calls', 'tokens', 'tokens a verdict', 'seconds', 'money'],
      rows: cost.map(({ judge, verdicts, calls, tokens, seconds, money }) => [
        ...[judge, String(verdicts), String(calls), String(tokens)],
        ...[
          verdicts === 0 ? '-' : (tokens / verdicts).toFixed(0),
          seconds.toFixed(1),
          money === undefined ? '-' : money.toFixed(4),
        ],
      ]),
      notes: ['Verdicts that were there already are counted with what they took then.'],
    },
    {
      title: 'Each judge with itself',
      columns: [
        'judge',
        'repeats',
        'answers',
        'unanimous',
        'flips an answer',
        'deviation',
        'least / quartiles / greatest',
      ],
      rows: repeats.map(({ judge, repeats, items, unanimous, flips, deviation, quartiles }) => [
        ...[judge, String(repeats), String(items), share(unanimous), share(flips), share(deviation)],
        quartiles?.map(formatScore).join(' / ') ?? '-',
      ]),
      notes: ['Deviation and quartiles are of the score of all answers over the repeats.'],
    },
  ]
  return tables.filter(table => table.rows.length > 0)
}
