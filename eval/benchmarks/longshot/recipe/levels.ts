import { eachItem } from '../../../recipes/checks/parts/verdicts.ts'
import type { ItemCheck } from '../../../recipes/item.ts'
import catalogue from './catalogue.json' with { type: 'json' }

// Levels of difficulty, of which the two lowest are one of the mix.
function computeShare(levels: readonly number[], level: string): number {
  return levels.length === 0 ? 0 : levels.filter(one => String(Math.max(2, one)) === level).length / levels.length
}

export function isMixed(levels: readonly number[]): boolean {
  return Object.entries(catalogue.least).every(([level, least]) => computeShare(levels, level) >= least)
}

// The level that is furthest below its wanted share.
export function wantedLevel(levels: readonly number[]): string {
  const lack = ([level, share]: [string, number]) => share - computeShare(levels, level)
  return Object.entries(catalogue.mix).reduce((best, one) => (lack(one) > lack(best) ? one : best))[0]
}

// What was wished of the levels and what came of it; nothing is thrown away for the mix.
export const levels: ItemCheck = {
  k: 0,
  name: 'levels',
  run: items => eachItem(items, () => undefined),
  warnings(items) {
    const difficulties = items.map(({ extra }) => Number(extra.difficulty))
    const percent = (level: string) => Math.round(100 * computeShare(difficulties, level))
    const isEnough = Object.entries(catalogue.least).every(([level, least]) => percent(level) >= 100 * least)
    const distribution = `1-2 ${percent('2')} %, 3 ${percent('3')} %, 4 ${percent('4')} %, 5 ${percent('5')} %`
    if (difficulties.length === 0 || (percent('2') <= 15 && isEnough)) return []
    return [`Levels of difficulty: ${distribution}; wanted 1-2 15 % at most, 3 25-30, 4 35-40, 5 25-30.`]
  },
}
