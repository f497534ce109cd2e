import { join } from 'node:path'
import { z } from 'zod'
import { readJsonFile } from '../../data/read-json-file.ts'

export const sentFile = 'cluster.json'
const Sent = z.object({ run: z.string() })

// What a run is called in the database; undefined if it was never sent.
export async function sentAs(folder: string): Promise<string | undefined> {
  return Sent.safeParse(await readJsonFile(join(folder, sentFile))).data?.run
}
