import type { CommandRun } from '../../../src/cli/command.ts'
import { exitCodes } from '../../../src/cli/fail.ts'
import { result } from '../../../src/cli/output.ts'
import { alignColumns, formatDuration } from '../../../src/cli/show/format.ts'
import { visibleFileName, visibleLine } from '../../../src/core/words/visible-text.ts'
import type { ClusterStatus, RunningJob } from '../status/cluster-status.ts'
import { withQueue } from './with-cluster.ts'

const status: CommandRun = call =>
  withQueue(call, async ({ database, engine }) => {
    const { clusterStatus } = await import('../status/gather.ts')
    const status = await clusterStatus(database, engine)
    result(call, status, () => statusLines(status).map(visibleLine))
    return exitCodes.ok
  })

function statusLines({ queues, workers, requests, failures, unserved, waitReason }: ClusterStatus): string[] {
  const failed = Object.entries(failures).map(([kind, count]) => `${count} ${kind}`)
  return [
    ...titled('Queues', [
      ['queue', 'waiting', 'running', 'oldest', 'workers'],
      ...queues.map(({ queue, waiting, running, oldest, workers }) => [
        ...[queue, String(waiting), String(running), oldest === undefined ? '-' : formatDuration(oldest)],
        String(workers),
      ]),
    ]),
    ...titled('Workers', [
      ['worker', 'state', 'slots', 'speed', 'works on'],
      ...workers.map(({ id, state, slots, speed, note, jobs }) => [
        ...[id, state, slotText(slots), speed === undefined ? '-' : `${speed.toFixed(1)} x`],
        note ?? (jobs.map(jobText).join('; ') || '-'),
      ]),
    ]),
    ...titled('Requests', [
      ['request', 'kind', 'done', 'running', 'failed', 'since', 'left'],
      ...requests.map(({ id, kind, done, total, running, failed, seconds, left }) => [
        ...[id.slice(0, 8), kind, `${done} of ${total}`, String(running), String(failed), formatDuration(seconds)],
        left === undefined ? '-' : `about ${formatDuration(left)}`,
      ]),
    ]),
    ...(failed.length > 0 ? [`Failed: ${failed.join(', ')}; \`longtake cluster failures\` lists them.`, ''] : []),
    ...unserved.flatMap(({ queue, waiting, why, mend }) => [`${queue}, ${waiting} waiting: ${why}.`, `  ${mend}`]),
    `Bottleneck: ${waitReason}`,
  ]
}

function titled(title: string, [head = [], ...rows]: string[][]): string[] {
  return rows.length === 0
    ? [`${title}: none`, '']
    : [title, ...alignColumns([head, ...rows]).map(line => `  ${line}`), '']
}

function slotText(slots: Partial<Record<string, number>>): string {
  const text = Object.entries(slots).map(([resource, count]) => `${resource}=${count}`)
  return text.join(',') || '-'
}

function jobText({ stage = 'questions', name, video, seconds, done, total }: RunningJob): string {
  const share = done !== undefined && total ? ` ${Math.round((100 * done) / total)} %` : ''
  return `${stage}${share} of ${visibleFileName(name ?? video ?? '-')} for ${formatDuration(seconds)}`
}

const doctor: CommandRun = async call => {
  const { examineCluster } = await import('../doctor/examine.ts')
  const { settings } = await call.settings()
  const report = await examineCluster(settings.cluster, call.world.environment)
  const fixes = [...new Set(report.checks.flatMap(({ mend }) => (mend ? [mend] : [])))]
  result(call, report, [
    `The cluster is ${report.healthy ? 'ready' : 'not ready'}.`,
    '',
    ...alignColumns(report.checks.map(({ what, state, detail }) => [what, state, visibleLine(detail)])),
    ...(fixes.length > 0 ? ['', 'To fix it:', ...fixes.map(mend => `  ${visibleLine(mend)}`)] : []),
  ])
  return report.healthy ? exitCodes.ok : exitCodes.backend
}

export const clusterLookCommands = { status, doctor }
