import { link, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { errorCode } from '../core/errors.ts'
import { makeFolder, syncFolder, writeDurably } from './durable.ts'
import { refuseNewer } from './format.ts'
import { jsonOf, readText } from './read-file.ts'
import { isBroken, sealed } from './seal.ts'
import { onDisk } from './storage-error.ts'
import { temporaryPath } from './temporary.ts'

// A file that had this content: see src/media/file/file-look.ts.
export const Sighting = z.object({
  path: z.string(),
  bytes: z.number(),
  modified: z.string().regex(/^-?\d+$/),
  changed: z.string().regex(/^-?\d+$/),
  inode: z.string(),
  seen: z.string().regex(/^-?\d+$/),
})
export type Sighting = z.infer<typeof Sighting>

// content.json beside video.json: what the whole file is, and where it was last seen, so that it need not be read again.
const ContentRecord = z.object({
  format: z.literal(1),
  sha256: z.string().optional(), // of the whole file; absent until its first index has read it to the end
  files: z.array(Sighting), // the latest first
})
export type ContentRecord = z.infer<typeof ContentRecord>

const mostFiles = 16

// `damaged` where it is not what was written; `absent` in libraries of earlier releases, which did not record it.
export async function readContent(videoFolder: string): Promise<ContentRecord | 'absent' | 'damaged'> {
  const file = join(videoFolder, 'content.json')
  const text = await readText(file)
  if (text === undefined) return 'absent'
  const value = jsonOf(text)
  if (isBroken(value)) return 'damaged'
  refuseNewer(file, value, 1)
  return ContentRecord.safeParse(value).data ?? 'damaged'
}

// What a library that may only be read does not take in is found out again the next time.
export async function saveContent(videoFolder: string, sha256: string | undefined, files: Sighting[]): Promise<void> {
  const [first] = files
  const others = files.slice(1).filter(file => file.path !== first.path)
  const record: ContentRecord = { format: 1, sha256, files: [first, ...others].slice(0, mostFiles) }
  try {
    await onDisk(`save what the content of ${first.path} is in ${videoFolder}`, async () => {
      await makeFolder(videoFolder)
      await writeDurably(join(videoFolder, 'content.json'), textOf(record))
    })
  } catch (error) {
    if (!isReadOnly(error)) throw error
  }
}

export function isReadOnly(error: unknown): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  return ['EROFS', 'EACCES', 'EPERM'].includes(errorCode(cause) ?? '')
}

// Begins the record of a file that nobody has indexed yet; false where another process has begun one meanwhile.
export async function claimContent(videoFolder: string, file: Sighting): Promise<boolean> {
  return onDisk(`save what the content of ${file.path} is in ${videoFolder}`, async () => {
    await makeFolder(videoFolder)
    const temporary = temporaryPath(videoFolder)
    const record = join(videoFolder, 'content.json')
    try {
      await writeDurably(temporary, textOf({ format: 1, files: [file] }))
      await link(temporary, record).catch(error => {
        if (errorCode(error) === 'EEXIST') throw error
        return writeDurably(record, textOf({ format: 1, files: [file] })) // a disk without links
      })
      await syncFolder(videoFolder)
      return true
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false
      throw error
    } finally {
      await rm(temporary, { force: true }).catch(() => {})
    }
  })
}

function textOf(record: ContentRecord): string {
  return `${JSON.stringify(sealed(record), null, 2)}\n`
}
