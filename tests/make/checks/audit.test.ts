import { expect, test } from 'vitest'
import { checkSet } from '../../../eval/make/check-set.ts'
import { oraclePath, withOracle } from '../../support/oracle.ts'

const mini = '../data/cg-bench/cgbench_mini.json'

withOracle(mini)('CG-Bench mini, held to the checks of made sets', () => {
  test('five solvers that see options alone get the right answers that were counted by another program', async () => {
    const { benchmark, split, questions, shallow, checks } = await checkSet(
      { path: oraclePath(mini) },
      new AbortController().signal,
    )
    expect({ benchmark, split, questions }).toEqual({ benchmark: 'cg-bench', split: 'mini', questions: 3000 })
    const rows = shallow.map(({ solver, right, n, accuracy }) => [solver, right, n, accuracy.toFixed(2)])
    expect(rows).toEqual([
      ['longest', 453, 3000, '15.10'],
      ['shortest', 512, 3000, '17.07'],
      ['shared', 432, 3000, '14.40'],
      ['nearest', 665, 3000, '22.17'],
      ['frequent', 736, 3000, '24.53'],
    ])
    expect(shallow[0]?.chance.toFixed(2)).toBe('14.62')
    const warned = checks.find(({ name }) => name === 'shallow')?.warnings ?? []
    expect(warned.map(line => /"(\w+)"/.exec(line)?.[1])).toEqual(['shortest', 'nearest', 'frequent'])
    // By Python (collections, re) and scipy 1.17.1: binomtest(k, 3000, chance, 'greater'), proportion_ci(method='wilson').
    const byScipy = [
      [0.4751799844613821, 13.863435786808257, 16.425827854219495],
      [0.0003428242120608448, 15.762733410480568, 18.454833425560896],
      [0.6438337837343453, 13.189170058240911, 15.701883971002289],
      [8.374834069339257e-28, 20.716437683673213, 23.688084895369922],
      [1.5547165226844412e-45, 23.026815993468883, 26.104986701607714],
    ]
    for (const [at, [p = 0, low = 0, high = 0]] of byScipy.entries()) {
      expect((shallow[at]?.p ?? 0) / p).toBeCloseTo(1, 7)
      expect(shallow[at]?.low).toBeCloseTo(low, 5)
      expect(shallow[at]?.high).toBeCloseTo(high, 5)
    }
  })
})
