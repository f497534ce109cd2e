import { expect, test } from 'vitest'
import { figure } from '../faults/figure.ts'
import { killEveryKind, kindNames } from '../kills/every-kind.ts'

// More than a test run can afford: npm run kills -- --kills 200.
const kills = Number(process.env.LONGTAKE_KILLS ?? kindNames.length)

test('fault 16: index, ask, chat, bench run, ablate and models pull, killed at random moments, end as if undisturbed', async () => {
  const reports = await killEveryKind({ kills, seed: 1 })
  expect(reports.flatMap(report => report.problems)).toEqual([])
  const total = (of: 'kills' | 'resumes') => reports.reduce((sum, report) => sum + report[of], 0)
  expect(total('kills')).toBe(kills)
  figure(`${total('kills')} kills, ${total('resumes')} resumes, 0 results differ`)
}, 600_000)
