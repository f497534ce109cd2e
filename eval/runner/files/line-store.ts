import type { AskRecord, SampleLine } from '../../data/sample-line.ts'

// Where the results of a run go as soon as they are there: the folder of the run, or the database that many workers share.
export interface LineStore {
  readonly lines: ReadonlyMap<string, SampleLine> // the last of each sample, from before and from now
  readonly parts: ReadonlyMap<string, readonly AskRecord[]> // of samples that were not finished before
  append(line: SampleLine): Promise<void>
  appendPart(id: string, ask: AskRecord): Promise<void>
  frame(name: string, jpeg: Uint8Array): Promise<string> // what a record calls it: its file below the folder of the run
}
