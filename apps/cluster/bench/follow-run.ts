import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { needsWork } from '../../../eval/runner/ask/process-samples.ts'
import type { RunnerWork } from '../../../eval/runner/runner.ts'
import { linkSignals } from '../../../src/core/basics/signals.ts'
import type { Cluster } from '../open-cluster.ts'
import { getBytes } from '../store/object-bytes.ts'
import { answersSince, readAskRecords, type StoredAnswer } from './answers.ts'
import { runObjects } from './run-store.ts'

type FollowWorld = Pick<Cluster, 'database' | 'store'>

// What the workers have answered, as it comes into the folder of the run.
export function followAnswers({ files, parts, samples }: RunnerWork, { database, store }: FollowWorld, run: string) {
  const takenAt = new Map<string, string>() // sample to when its line was written
  let seen = '-infinity'

  return {
    has: (sample: string) => takenAt.has(sample),

    // Takes what is new; a line that the folder has already is not written again.
    async take(): Promise<StoredAnswer[]> {
      const news: StoredAnswer[] = []
      for (const { line, at } of await answersSince(database, run, seen)) {
        seen = at
        if (takenAt.get(line.id) === at) continue
        const storedLine = files.lines.get(line.id)
        const isKept = storedLine && (storedLine.finished === line.finished || !needsWork(storedLine, parts))
        if (!isKept) {
          const frames = new Set(line.asks.flatMap(ask => ask.frames.map(({ file }) => basename(file))))
          for (const name of frames) await files.frame(name, await getBytes(store, runObjects.frame(run, name)))
          await files.append(line)
        }
        takenAt.set(line.id, at)
        news.push({ line, at })
      }
      return news
    },

    // Parts of samples that nobody has finished, for whoever continues alone.
    async takeParts(): Promise<void> {
      const ids = samples.map(({ sample }) => sample.id).filter(id => needsWork(files.lines.get(id), parts))
      for (const [id, records] of await readAskRecords(database, run, ids))
        for (const record of records)
          if (!files.parts.get(id)?.some(part => part.name === record.name)) await files.appendPart(id, record)
    },
  }
}

const poll = 2000 // milliseconds

// Waits for the next word about the run, or for a while where words do not come through.
export async function nextWord({ database }: Pick<Cluster, 'database'>, run: string) {
  let heard = new AbortController()
  const stop = await database.listen(word => word === `run ${run}` && heard.abort())
  const wait = async (signal: AbortSignal) => {
    const either = linkSignals(signal, heard.signal)
    await sleep(poll, undefined, { signal: either.signal }).catch(() => signal.throwIfAborted())
    either.clear()
    heard = new AbortController()
  }
  return { wait, stop }
}
