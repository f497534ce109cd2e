import { basename, join } from 'node:path'
import { z } from 'zod'
import { UsageError } from '../../../src/core/errors.ts'
import { parseStoredJson, readTextFile } from '../../../src/store/read-file.ts'
import { maxSetFile } from '../../data/benchmark-json.ts'
import { explainFirstIssue } from '../../data/parse-record.ts'

// The videos of a made set. A set may come from somebody else: their names lead to no other folder.
const Videos = z.array(
  z.object({
    name: z
      .string()
      .refine(name => basename(name) === name && !/^\.{0,2}$|\\/.test(name), 'must be a name, not a path'),
    bytes: z.number(),
    sha256: z.string(),
    duration: z.number(),
  }),
)

export async function readVideos(set: string): Promise<z.infer<typeof Videos>> {
  const path = join(set, 'videos.json')
  const text = await readTextFile(path, maxSetFile)
  if (text === undefined)
    throw new UsageError(`${set} holds no whole made set.`, { hint: 'Finish it first: longtake bench make --resume.' })
  const { data, error } = Videos.safeParse(parseStoredJson(text))
  if (data) return data
  throw new UsageError(`${path} is damaged: ${explainFirstIssue(error, 'the file')}.`, {
    hint: 'Make the set again: longtake bench make --resume.',
  })
}
