import type { Call } from '../../../src/cli/call.ts'
import type { CommandRun } from '../../../src/cli/command.ts'
import { version } from '../../../src/cli/version.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { chosenSettings } from './index-queue.ts'

// Works for the cluster until it is stopped.
export const worker: CommandRun = async call => {
  const { settings, host, library } = await chosenSettings(call)
  const { environment } = call.world
  const { openCluster } = await import('../open-cluster.ts')
  const { eventLog } = await import('../observe/event-log.ts')
  const { listSecrets } = await import('../../../src/store/redact.ts')
  const { startWorker } = await import('../worker/start-worker.ts')
  const warn = (line: string) => call.remark(line)
  const monitor = Math.min(15, settings.cluster.heartbeat / 2)
  const cluster = await openCluster(settings.cluster, environment, {
    opening: 60, // machines that are started together come up in any order
    engine: { watches: true, monitor, warn },
  })
  const drain = new AbortController()
  call.world.onStop?.(() => drain.abort())
  call.signal.addEventListener('abort', () => drain.abort())
  try {
    await startWorker({
      cluster,
      settings,
      host,
      home: library.home,
      environment,
      version: version(),
      slots: call.text('--slots'),
      only: call.text('--only')?.split(','),
      metrics: call.text('--metrics'),
      ending: { untilIdle: call.has('--drain'), maxSeconds: seconds(call), drain: drain.signal },
      output: {
        say: line => call.terminal.say(line),
        log: call.json ? eventLog(line => call.terminal.out(line), listSecrets(environment)) : undefined,
      },
    })
  } finally {
    await cluster.close()
  }
  return 0
}

// "3h50m", "90s".
function seconds(call: Call): number | undefined {
  const text = call.text('--max-time')
  if (text === undefined) return undefined
  const parts = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text)
  const [hours, minutes, rest] = (parts ?? []).slice(1).map(part => Number(part ?? 0))
  const total = (hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (rest ?? 0)
  if (total > 0) return total
  throw new UsageError(`--max-time must be a time, not "${text}".`, { hint: 'As: --max-time 3h50m' })
}
