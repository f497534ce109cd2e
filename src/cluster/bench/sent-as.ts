import { join } from 'node:path'
import { z } from 'zod'
import { readJson } from '../../../eval/runner/run-folder.ts'

export const sentFile = 'cluster.json'
const Sent = z.object({ run: z.string() })

// What a run is called in the database; undefined where it was never sent.
export async function sentAs(folder: string): Promise<string | undefined> {
  return Sent.safeParse(await readJson(join(folder, sentFile))).data?.run
}
