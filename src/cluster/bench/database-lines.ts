import type { AskRecord, SampleLine } from '../../../eval/data/sample-line.ts'
import type { LineStore } from '../../../eval/runner/files/line-store.ts'
import type { Redact } from '../../store/redact.ts'
import type { Database } from '../data/sql.ts'
import type { ArtifactStore } from '../store/artifact-store.ts'
import { answersOf, partsOf, saveAnswer, savePart } from './answers.ts'
import { putFrame } from './run-store.ts'

export interface DatabaseLines {
  database: Database
  store: ArtifactStore
  run: string
  samples: readonly string[]
  before: readonly SampleLine[] // from before the run was sent
  worker: string
  redact: Redact
}

// The results of a shard in the tables that all workers share. A frame is in the store before the line that shows it is in the table.
export async function databaseLines(work: DatabaseLines): Promise<LineStore> {
  const { database, store, run, samples, worker, redact } = work
  const lines = new Map(work.before.map(line => [line.id, line]))
  for (const line of await answersOf(database, run, samples)) lines.set(line.id, line)
  const parts: Map<string, AskRecord[]> = await partsOf(database, run, samples)
  return {
    lines,
    parts,
    async append(line) {
      const isNew = await saveAnswer(database, run, redact(line), worker)
      lines.set(line.id, line)
      if (isNew) await database.notify(`run ${run}`)
    },
    appendPart: (id, ask) => savePart(database, run, id, redact(ask)),
    async frame(name, jpeg) {
      await putFrame(store, run, name, jpeg)
      return `frames/${name}`
    },
  }
}
