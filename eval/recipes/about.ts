import { extname } from 'node:path'
import { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'
import { parseStoredJson, readTextFile } from '../../src/store/read-file.ts'
import { explainFirstIssue } from '../data/parse-record.ts'

// What a person says of a video, in X.about.json beside it.
export const SourceAbout = z.strictObject({
  title: z.string().optional(),
  genre: z.string().optional(),
  year: z.number().optional(),
  summary: z.string().optional(),
  people: z.array(z.strictObject({ name: z.string(), pictures: z.array(z.string()).default([]) })).optional(),
  faq: z.array(z.strictObject({ q: z.string(), a: z.string() })).optional(),
  source: z.string().optional(),
  licence: z.string().optional(),
  language: z.string().optional(),
})
export type SourceAbout = z.infer<typeof SourceAbout>

function replaceEnding(video: string, ending: string): string {
  return `${video.slice(0, video.length - extname(video).length)}${ending}`
}

export function readSourceScript(video: string): Promise<string | undefined> {
  return readTextFile(replaceEnding(video, '.script.txt'))
}

export async function readAbout(video: string): Promise<SourceAbout> {
  const path = replaceEnding(video, '.about.json')
  const aboutText = await readTextFile(path)
  if (aboutText === undefined) return {}
  const read = SourceAbout.safeParse(parseStoredJson(aboutText))
  if (read.success) return read.data
  throw new UsageError(`${path} cannot be used: ${explainFirstIssue(read.error, 'the file')}.`, {
    hint: 'It holds title, genre, year, summary, people, faq, source, licence and language, each where it is known.',
  })
}
