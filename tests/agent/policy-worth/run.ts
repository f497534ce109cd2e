import { replaceBlock } from '../../../scripts/doc-block.ts'
import { type PolicyName, PolicySettings, policyNames } from '../../../src/core/settings.ts'
import { aboutKind, bootstrapDifference, kinds, meanScore, scoresOf } from './measure.ts'
import { makeStories } from './story-index.ts'

// What each policy is worth for each kind of planner: made questions answered with it and without it, all else as it is set.
// Prints the table; with --write it goes into docs/agent.md. Nothing is rendered, and no model is called.
//   npx tsx tests/agent/policy-worth/run.ts [--write] [SEED ...]
const givenSeeds = process.argv.slice(2).map(Number).filter(Number.isInteger)
const seeds = givenSeeds.length > 0 ? givenSeeds : [11, 12]
const stories = (await Promise.all(seeds.map(seed => makeStories(seed, 1, 5)))).flat()
const usual = PolicySettings.parse({})
const rows = new Map<PolicyName | 'all of them', string[]>()
let askedCount = 0
// What a policy that is off has to be told to have a say.
const more: Partial<Record<PolicyName, Partial<PolicySettings>>> = { votes: { votesFrom: 0, votesTo: 1 } }

for (const kind of kinds) {
  const base = await scoresOf(kind, stories, {})
  askedCount = Math.max(askedCount, base.length)
  const none = await scoresOf(kind, stories, Object.fromEntries(policyNames.map(name => [name, false])))
  put('all of them', `${meanScore(none).toFixed(1)} to ${meanScore(base).toFixed(1)}`)
  for (const name of policyNames) {
    const other = await scoresOf(kind, stories, { [name]: !usual[name], ...more[name] })
    const { mean, low, high } = usual[name] ? bootstrapDifference(base, other) : bootstrapDifference(other, base)
    put(name, low === high && mean === 0 ? '0' : `${signed(mean)} [${signed(low)}, ${signed(high)}]`)
  }
}

const lines = [
  `Points of 100 that a policy adds (right 1, a wrong open answer -0.5), with the interval of 95 % over ${askedCount} questions (seeds ${seeds.join(', ')}; open and with options; \`rules\` without those that need eyes). The first row: points without any, and as they are set.`,
  '',
  `| policy | ${kinds.join(' | ')} |`,
  `| --- | ${kinds.map(() => '---').join(' | ')} |`,
  ...[...rows].map(([name, cells]) => `| ${name === 'all of them' ? name : `\`${name}\``} | ${cells.join(' | ')} |`),
  '',
  ...kinds.map(kind => `- \`${kind}\`: ${aboutKind[kind]}`),
]
console.log(lines.join('\n'))
if (process.argv.includes('--write'))
  await replaceBlock('agent.md', '<!-- worth -->', '<!-- end of worth -->', lines.join('\n'))

function put(name: PolicyName | 'all of them', cell: string): void {
  rows.set(name, [...(rows.get(name) ?? []), cell])
  console.error(`${name}: ${cell}`)
}

function signed(number: number): string {
  return `${number > 0 ? '+' : ''}${number.toFixed(1)}`
}
