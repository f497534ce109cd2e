import { parseArgs } from 'node:util'
import { madeBy, replaceBlock } from '../../scripts/doc-block.ts'
import { type KindName, killEveryKind, kindNames } from './every-kind.ts'
import type { KindReport } from './run-kind.ts'

// Kills every command with SIGKILL at random moments, resumes it, and compares its end with an undisturbed run.
// --write puts the table into docs/reliability.md. npm run kills -- [--kills 200] [--seed 1] [--only ask,chat] [--json] [--keep] [--write]
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false }, // the folders of rounds that went wrong
    write: { type: 'boolean', default: false },
  },
})
const kills = positive('--kills', values.kills)
const seed = positive('--seed', values.seed)
const kinds = values.only?.split(',').map(readKind)

const began = performance.now()
const reports = await killEveryKind({
  ...{ kills, seed, kinds, keep: values.keep },
  progress: line => console.error(line),
  onReport: report => (values.json ? console.error : console.log)(lineOf(report)),
})
const total = (of: (report: KindReport) => number) => reports.reduce((sum, report) => sum + of(report), 0)
const summary = {
  ...{ kills: total(report => report.kills), seed, seconds: Math.round((performance.now() - began) / 1000) },
  differ: total(report => report.differing),
  wrong: total(report => report.problems.length),
}
if (values.json) console.log(JSON.stringify({ schemaVersion: 1, ...summary, kinds: reports }, null, 2))
else console.log(`kills: ${summary.kills} done, ${summary.differ} results differ`)
if (values.write)
  await replaceBlock(
    'reliability.md',
    '<!-- made: kills -->',
    '<!-- end -->',
    `${madeBy(`npm run kills -- --kills ${kills} --seed ${seed} --write`)}\n\n${killTable(reports, summary)}`,
  )
process.exitCode = summary.wrong > 0 ? 1 : 0

function lineOf(report: KindReport): string {
  const { kind, kills, mainOnly, resumes, rounds, seconds, lost, doubled, differing, leftFiles, orphans } = report
  const parts = [
    `${kills} kills (${mainOnly} of the main process alone), ${resumes} resumes, ${rounds} ends, ${seconds} s`,
    `${lost} lost, ${doubled} doubled, ${differing} differing, ${leftFiles} files left, ${orphans} orphans`,
  ]
  return `${kind}: ${parts.join('; ')}`
}

function positive(flag: string, text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value > 0) return value
  throw new Error(`${flag} must be a positive integer, got "${text}".`)
}

function readKind(name: string): KindName {
  const match = kindNames.find(kind => kind === name)
  if (match) return match
  throw new Error(`--only knows ${kindNames.join(', ')}, not "${name}".`)
}

// The table of docs/reliability.md.
function killTable(kinds: readonly KindReport[], { kills, seconds, differ }: typeof summary): string {
  const head = ['command', 'kills', 'of the main process alone', 'resumes', 'ends compared', 'seconds']
  const faults = ['lost', 'doubled', 'differing', 'files left', 'orphans']
  const rows = kinds.map(one => [
    ...[one.kind, one.kills, one.mainOnly, one.resumes, one.rounds, one.seconds],
    ...[one.lost, one.doubled, one.differing, one.leftFiles, one.orphans],
  ])
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`
  const all = [...head, ...faults]
  return [
    line(all),
    line(all.map(() => '---')),
    ...rows.map(line),
    '',
    `${kills} kills in ${seconds} s, ${differ} results differ.`,
  ].join('\n')
}
