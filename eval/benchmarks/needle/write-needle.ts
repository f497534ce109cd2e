import type { Script } from '../../../src/core/scene.ts'
import { cgBenchRecord, longshotSample } from './forms.ts'
import type { NeedleSet } from './make-needle.ts'

// Where a set goes. Neither call may leave a half-written file under the name.
export interface NeedleFolder {
  render(script: Script, name: string): Promise<void>
  write(name: string, content: string): Promise<void>
}

// Writes the videos, their scripts and the annotations: our own, and the same in the forms of LongShOTBench and CG-Bench.
export async function writeNeedle(set: NeedleSet, folder: NeedleFolder): Promise<void> {
  for (const { name, script } of set.videos) {
    await folder.render(script, name)
    await folder.write(name.replace(/\.mp4$/, '.script.json'), `${JSON.stringify(script)}\n`)
  }
  const records = set.videos.flatMap(video => video.records)
  const lines = (values: readonly object[]) => values.map(value => `${JSON.stringify(value)}\n`).join('')
  await folder.write('longshot.jsonl', lines(records.map(longshotSample)))
  await folder.write('cg-bench.jsonl', lines(records.map(cgBenchRecord)))
  await folder.write('needle.json', `${JSON.stringify(records, null, 1)}\n`)
}
