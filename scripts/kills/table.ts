import type { KindReport } from './run-kind.ts'

export interface KillSummary {
  kills: number
  seed: number
  seconds: number
  differ: number
}

// The table of docs/reliability.md.
export function killTable(kinds: readonly KindReport[], { kills, seconds, differ }: KillSummary): string {
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
