import { join } from 'node:path'
import { linkSignals } from '../../../src/core/basics/signals.ts'
import { recordCalls } from '../../../src/store/call-log/record.ts'
import { resumeCalls } from '../../../src/store/call-log/resume.ts'
import type { JudgeService } from '../../judges/judge-service.ts'
import { loadAnswerer } from './by/index.ts'
import { processSamples, type SampleWork, type Trajectory } from './process-samples.ts'
import type { RunContext } from './run-context.ts'

export interface RunOptions
  extends Pick<SampleWork, 'samples' | 'store' | 'concurrency' | 'watch' | 'onSample'>,
    Partial<Pick<SampleWork, 'signal'>> {
  folder: string // the calls are kept below it
}

// Settles samples of a run, all of them or some.
export async function runSamples(asking: RunContext, { folder, signal, ...work }: RunOptions): Promise<void> {
  const { benchmark, tasks, by, options, change, runtime, replay } = asking
  const link = linkSignals(signal, runtime.host.signal, replay?.missed)
  try {
    await processSamples({
      ...work,
      benchmark,
      tasks,
      by,
      trajectory: readTrajectory(options),
      agent: (await loadAnswerer(by)).open(asking, folder),
      judge: recordedJudge(asking, folder),
      judged: reply => change?.judged(reply),
      signal: link.signal,
    })
  } catch (error) {
    throw replay?.miss() ?? error
  } finally {
    link.clear()
  }
}

function readTrajectory({ trajectory }: Record<string, unknown>): Trajectory {
  return trajectory === 'free' || trajectory === 'none' ? trajectory : 'ideal'
}

// What a judge had said of an answer when a kill came is not paid for again; where its verdict could not be used, it is asked anew.
function recordedJudge({ judge, redact }: RunContext, folder: string): JudgeService | undefined {
  const judgeCallFolder = join(folder, 'calls', 'judge')
  const first = judge?.withChat?.(resumeCalls(judgeCallFolder, redact).model)
  const again = judge?.withChat?.(recordCalls(join(judgeCallFolder, 'again'), redact).model)
  if (!judge || !first || !again) return judge
  return { ...judge, judge: work => (work.before ? again : first).judge(work) }
}
