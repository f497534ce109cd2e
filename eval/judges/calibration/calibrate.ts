import { z } from 'zod'
import { cohensKappa, weightedKappa } from '../../metrics/kappa.ts'
import { mean } from '../../metrics/statistics/clusters.ts'
import { pearson } from '../../metrics/statistics/correlation.ts'
import { type Measure, measureWithInterval } from '../../metrics/statistics/measure.ts'
import { type CalibrationItem, calibrationSets } from '../../protocols/judge/calibration/calibration-set.ts'
import { computeCredit } from '../../protocols/judge/scale.ts'
import type { JudgeService } from '../judge-service.ts'

const Share = z.object({ n: z.number(), right: z.number() })

// How a judge did on the set that is shipped for its protocol.
export const JudgeCheck = z.object({
  format: z.literal(1),
  benchmark: z.string(),
  judge: z.string(),
  wording: z.string().optional(), // sha256 of a person's own wording
  digest: z.string().optional(), // of the model, where its server tells
  date: z.string(), // ISO
  set: z.string(),
  ...Share.shape,
  unjudged: z.number(),
  kappa: z.object({ value: z.number().nullable(), low: z.number().nullable(), high: z.number().nullable() }),
  pearson: z.number().nullable(),
  bias: z.number().nullable(), // mean credit given less what is due, points of 100
  classes: z.record(z.string(), Share),
  calls: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  seconds: z.number(),
  money: z.number().optional(), // where a price is set
})
export type JudgeCheck = z.infer<typeof JudgeCheck>

interface GivenVerdict {
  item: CalibrationItem
  verdict: number | null
  isRight: boolean
}

type CalibrationResult = Omit<JudgeCheck, 'format' | 'benchmark' | 'wording' | 'digest' | 'date' | 'money'>

// Has a judge grade the shipped items; undefined if its protocol has no set. An item without a verdict is not right.
export async function calibrate(
  judge: JudgeService,
  { signal, onJudged }: { signal: AbortSignal; onJudged?(done: number, total: number): void },
): Promise<CalibrationResult | undefined> {
  const { calibration } = judge.protocol
  if (!calibration) return undefined
  const items = calibrationSets[calibration.set]()
  const verdicts: GivenVerdict[] = []
  const spent = { calls: 0, inputTokens: 0, outputTokens: 0, seconds: 0 }
  for (const item of items) {
    const judgment = await judge.judge({ sample: calibration.sample(item), reply: item.answer, signal })
    for (const name of ['calls', 'inputTokens', 'outputTokens'] as const) spent[name] += judgment.usage?.[name] ?? 0
    spent.seconds += judgment.seconds
    const [step] = judge.protocol.verdicts(calibration.sample(item))
    const verdict = step ? judge.protocol.verdictOf(step.step, judgment.replies) : null
    const isRight = verdict !== null && Math.abs(verdict - calibration.truth(item.truth)) <= item.slack
    verdicts.push({ item, verdict, isRight })
    onJudged?.(verdicts.length, items.length)
  }
  const names = [...new Set(items.map(item => item.class))]
  const classes = names.map(name => [name, countRight(verdicts.filter(({ item }) => item.class === name))] as const)
  return {
    judge: judge.name,
    set: calibration.set,
    ...summed(judge, verdicts),
    classes: Object.fromEntries(classes),
    ...spent,
  }
}

function summed({ protocol }: JudgeService, given: readonly GivenVerdict[]) {
  const { calibration } = protocol
  const judged = given.flatMap(({ item, verdict }) =>
    verdict === null || !calibration ? [] : [{ id: item.id, item, verdict, truth: calibration.truth(item.truth) }],
  )
  const sides = (all: readonly (typeof judged)[number][]) =>
    [all.map(one => (one.item.slack > 0 ? Math.round(one.truth) : one.truth)), all.map(one => one.verdict)] as const
  const isScore = calibration?.set === 'scores'
  const kappa: Measure = measureWithInterval({
    items: judged,
    videoOf: one => one.id,
    statistic: all => (isScore ? weightedKappa : cohensKappa)(...sides(all)),
    undefinedAs: 'one verdict throughout',
  })
  const credits = judged.flatMap(({ item, verdict, truth }) => {
    const [step] = calibration ? protocol.verdicts(calibration.sample(item)) : []
    const [got, due] = step ? [computeCredit(step.scale, verdict), computeCredit(step.scale, truth)] : [null, null]
    return got === null || due === null ? [] : [got - due]
  })
  return {
    ...countRight(given),
    unjudged: given.length - judged.length,
    kappa: { value: kappa.value, low: kappa.low, high: kappa.high },
    pearson: isScore
      ? pearson(
          judged.map(one => one.truth),
          judged.map(one => one.verdict),
        )
      : null,
    bias: credits.length === 0 ? null : 100 * mean(credits),
  }
}

function countRight(given: readonly GivenVerdict[]): { n: number; right: number } {
  return { n: given.length, right: given.filter(one => one.isRight).length }
}
