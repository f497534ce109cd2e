import { cohensKappa, countValues, weightedKappa } from '../metrics/kappa.ts'
import { krippendorffsAlpha, type Level } from '../metrics/statistics/alpha.ts'
import { mean } from '../metrics/statistics/clusters.ts'
import { pearson, spearman } from '../metrics/statistics/correlation.ts'
import { type Measure, measureWithInterval } from '../metrics/statistics/measure.ts'
import { computeCredit, type Scale, scales } from '../protocols/judge/scale.ts'

export interface Rater {
  name: string
  kind: 'judge' | 'person' | 'majority'
  verdicts: ReadonlyMap<string, number> // by key
}

export interface RatedItem {
  key: string
  video: string
  scale: Scale
}

interface Pair {
  a: string
  b: string
  share: Measure // that both gave the same verdict
  kappa: Measure // of all classes; of scores weighted by squares
  kappaRight: Measure // of right (credit 0.5 and more) against not
  pearson?: Measure // of scores
  spearman?: Measure
  bias: Measure // mean credit that b gives more than a, points of 100
}

export interface Agreement {
  scale: Scale
  raters: { name: string; kind: Rater['kind']; accuracy: Measure }[] // credit under each rater, per cent
  pairs: Pair[]
  alpha: Record<Level, Measure> // of all but the majority
  ties: string[] // keys on which the people's votes are even
}

// Judges and people side by side: judges against each person and the majority, people in pairs, and all by Krippendorff.
export function measureAgreement(items: readonly RatedItem[], raters: readonly Rater[]): Agreement[] {
  return (Object.keys(scales) as Scale[]).flatMap(scale => {
    const scaleItems = items.filter(item => item.scale === scale)
    const activeRaters = raters.filter(rater => scaleItems.some(item => rater.verdicts.has(item.key)))
    if (activeRaters.length === 0) return []
    const people = activeRaters.filter(rater => rater.kind === 'person')
    const { majority, ties } = rateByMajority(scaleItems, people, scale)
    const all = people.length > 1 ? [...activeRaters, majority] : activeRaters
    const levels = Object.fromEntries(
      (['nominal', 'ordinal', 'interval'] as const).map(level => [
        level,
        measureAlpha(scaleItems, activeRaters, level),
      ]),
    ) as Agreement['alpha']
    return [
      {
        scale,
        raters: all.map(rater => measureAccuracy(scaleItems, rater, scale)),
        pairs: comparePairs(scaleItems, all, scale),
        alpha: levels,
        ties,
      },
    ]
  })
}

// What most people say; two verdicts of equal frequency are no majority. Of scores, the mean.
function rateByMajority(
  items: readonly RatedItem[],
  people: readonly Rater[],
  scale: Scale,
): { majority: Rater; ties: string[] } {
  const verdicts = new Map<string, number>()
  const ties: string[] = []
  for (const { key } of items) {
    const votes = people.flatMap(person => person.verdicts.get(key) ?? [])
    if (votes.length < 2) continue
    const counted = [...countValues(votes)].sort(([, a], [, b]) => b - a)
    const [first, second] = counted
    if (scales[scale].level === 'interval') verdicts.set(key, mean(votes))
    else if (first && first[1] !== second?.[1]) verdicts.set(key, first[0])
    else ties.push(key)
  }
  const name = scales[scale].level === 'interval' ? 'mean of people' : 'majority'
  return { majority: { name, kind: 'majority', verdicts }, ties }
}

function measureAccuracy(
  items: readonly RatedItem[],
  { name, kind, verdicts }: Rater,
  scale: Scale,
): Agreement['raters'][number] {
  const credited = items.flatMap(item => {
    const verdict = verdicts.get(item.key)
    const credit = verdict === undefined ? null : computeCredit(scale, verdict)
    return credit === null ? [] : [{ ...item, credit }]
  })
  return { name, kind, accuracy: measured(credited, all => 100 * mean(all.map(item => item.credit)), '') }
}

function comparePairs(items: readonly RatedItem[], raters: readonly Rater[], scale: Scale): Pair[] {
  return raters.flatMap((a, i) =>
    raters.slice(i + 1).flatMap(b => {
      if (a.kind === 'person' && b.kind === 'majority') return [] // a person is part of it
      return [comparePair(items, a, b, scale)]
    }),
  )
}

interface Both {
  video: string
  a: number
  b: number
}

function comparePair(items: readonly RatedItem[], first: Rater, second: Rater, scale: Scale): Pair {
  const both = items.flatMap(({ key, video }): Both[] => {
    const [a, b] = [first.verdicts.get(key), second.verdicts.get(key)]
    return a === undefined || b === undefined ? [] : [{ video, a, b }]
  })
  const of = (statistic: (a: number[], b: number[]) => number | null, why = 'one verdict throughout', rows = both) => {
    const column = (all: readonly Both[], rater: 'a' | 'b') => all.map(one => one[rater])
    return measured(rows, all => statistic(column(all, 'a'), column(all, 'b')), why)
  }
  const credits = both.flatMap(({ video, a, b }): Both[] => {
    const [given, other] = [computeCredit(scale, a), computeCredit(scale, b)]
    return given === null || other === null ? [] : [{ video, a: given, b: other }]
  })
  const right = (values: number[]) => values.map(credit => credit >= 0.5)
  const isScore = scales[scale].level === 'interval'
  return {
    a: first.name,
    b: second.name,
    share: of((a, b) => mean(a.map((value, i) => Number(value === b[i])))),
    kappa: of(isScore ? weightedKappa : cohensKappa),
    kappaRight: of((a, b) => cohensKappa(right(a), right(b)), undefined, credits),
    ...(isScore && { pearson: of(pearson, 'no spread'), spearman: of(spearman, 'no spread') }),
    bias: of((a, b) => 100 * (mean(b) - mean(a)), '', credits),
  }
}

function measureAlpha(items: readonly RatedItem[], raters: readonly Rater[], level: Level): Measure {
  const units = items
    .map(({ key, video }) => ({ video, ratings: raters.flatMap(rater => rater.verdicts.get(key) ?? []) }))
    .filter(unit => unit.ratings.length > 1)
  const alpha = (all: readonly (typeof units)[number][]) => {
    const ratings = all.map(unit => unit.ratings)
    return krippendorffsAlpha(ratings, level)
  }
  return measured(units, alpha, 'one verdict throughout')
}

function measured<Row extends { video: string }>(
  items: readonly Row[],
  statistic: (items: readonly Row[]) => number | null,
  undefinedAs: string,
): Measure {
  return measureWithInterval({ items, videoOf: item => item.video, statistic, undefinedAs })
}
