import type { Call } from '../../src/cli/call.ts'
import { type ProgressDisplay, showProgress } from '../../src/cli/progress.ts'
import { formatDuration } from '../../src/cli/show/format.ts'
import { formatTime } from '../../src/core/time.ts'
import { visibleLine } from '../../src/core/words/visible-text.ts'
import type { SampleLine } from '../data/sample-line.ts'
import type { RunProgress } from '../runner/ask/process-samples.ts'
import type { BenchProgress } from '../runner/runner.ts'

const every = 10_000 // milliseconds between two lines where no line can be redrawn

// Progress of a benchmark run: the stages of indexing, the questions done, and what failed.
export async function benchProgress(
  call: Call,
  wanted?: 'auto' | 'lines' | 'off', // where the settings of the call are not those of the run
): Promise<BenchProgress & { finish(): void }> {
  const style = call.has('--quiet') ? 'off' : (wanted ?? (await call.settings()).settings.output.progress)
  const stages: ProgressDisplay = showProgress(call.terminal, style)
  let reported = 0
  return {
    watch: stages.watch,
    onSample(line, progress) {
      if (style === 'off') return
      for (const fault of listFaults(line)) call.terminal.say(`${visibleLine(line.id)}: ${visibleLine(fault)}`)
      if (style === 'auto' && call.terminal.live) return call.terminal.draw([progressLine(line, progress)])
      const now = Date.now()
      if (now - reported < every && progress.done < progress.total) return
      reported = now
      call.terminal.say(progressLine(line, progress))
    },
    finish: () => stages.finish(),
  }
}

function progressLine(line: SampleLine, { done, total, seconds, left }: RunProgress): string {
  const rest = left === undefined || done === total ? `in ${formatDuration(seconds)}` : `about ${formatTime(left)} left`
  return `${done} of ${total} questions, ${rest}; last ${visibleLine(line.id)}`
}

function listFaults(line: SampleLine): string[] {
  const failed = Object.entries(line.judge?.failed ?? {}).map(([step, reason]) => `not judged (${step}): ${reason}`)
  return [...(line.error === undefined ? [] : [`failed: ${line.error}`]), ...failed]
}
