import { type Comparison, findRun, loadComparison, type ReportTable } from '../../../eval/bench.ts'
import { tableLines } from '../bench/table-lines.ts'
import { result } from '../output.ts'
import type { CommandRun } from '../table/types.ts'

const compare: CommandRun = async call => {
  const [a, b] = call.arguments
  const home = await call.home()
  const folders = [await findRun(a, call.world.cwd, home), await findRun(b, call.world.cwd, home)]
  const comparison = await loadComparison(folders[0], folders[1])
  result(
    call,
    () => ({ ...comparison }),
    () => tableLines([tableOf(comparison)], call.terminal),
  )
  return 0
}
export default compare

function tableOf({ benchmark, a, b, settings, onlyInA, onlyInB, tasks }: Comparison): ReportTable {
  const signed = (value: number) => `${value > 0 ? '+' : ''}${value.toFixed(1)}`
  return {
    title: `${benchmark}: ${a} (A) and ${b} (B)`,
    columns: [
      'task',
      'n',
      'A',
      'B',
      'B - A',
      '95 % interval',
      'p (bootstrap)',
      'only A right',
      'only B right',
      'p (McNemar)',
    ],
    rows: tasks.map(({ task, n, a, b, paired, mcNemar }) => [
      task,
      String(n),
      a.toFixed(1),
      b.toFixed(1),
      signed(paired.difference),
      `${signed(paired.low)} to ${signed(paired.high)}`,
      probability(paired.p),
      mcNemar ? String(mcNemar.onlyA) : '-',
      mcNemar ? String(mcNemar.onlyB) : '-',
      mcNemar ? probability(mcNemar.corrected) : '-',
    ]),
    notes: [
      'Strict scores. Pairs of the same question; the bootstrap draws whole videos; McNemar is exact, corrected over the tasks (Holm).',
      ...(onlyInA + onlyInB > 0 ? [`Left out: ${onlyInA} samples that only A has, ${onlyInB} that only B has.`] : []),
      settings.length === 0 ? 'The settings of the runs are equal.' : `They differ in: ${settings.join('; ')}.`,
    ],
  }
}

function probability(p: number): string {
  return p < 0.001 ? '< 0.001' : p.toFixed(3)
}
