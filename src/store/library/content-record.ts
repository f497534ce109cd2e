import { link, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { errorCode, forbidden } from '../../core/errors.ts'
import { ensureFolder, syncFolder } from '../durable.ts'
import { readRecord, saveRecord } from '../sealed-record.ts'
import { Sighting } from '../stage/sighting.ts'
import { onDisk } from '../storage-error.ts'
import { temporaryPath } from '../temporary.ts'

// content.json beside video.json: what the whole file is, and where it was last seen, so that it need not be read again.
const ContentRecord = z.object({
  format: z.literal(1),
  sha256: z.string().optional(), // of the whole file; absent until its first index has read it to the end
  files: z.array(Sighting), // the latest first
})
export type ContentRecord = z.infer<typeof ContentRecord>

const maxFiles = 16

// `absent` in libraries of earlier releases, which did not record it.
export function readContentRecord(videoFolder: string): Promise<ContentRecord | 'absent' | 'damaged'> {
  return readRecord(contentFile(videoFolder), ContentRecord)
}

export function contentFile(videoFolder: string): string {
  return join(videoFolder, 'content.json')
}

// What cannot be saved in a read-only library is found out again the next time.
export async function saveContent(
  videoFolder: string,
  sha256: string | undefined,
  [first, ...others]: readonly [Sighting, ...Sighting[]],
): Promise<void> {
  const otherFiles = others.filter(file => file.path !== first.path)
  const record: ContentRecord = { format: 1, sha256, files: [first, ...otherFiles].slice(0, maxFiles) }
  try {
    await onDisk(`save what the content of ${first.path} is in ${videoFolder}`, async () => {
      await ensureFolder(videoFolder)
      await saveRecord(contentFile(videoFolder), record)
    })
  } catch (error) {
    if (!isReadOnly(error)) throw error
  }
}

export function isReadOnly(error: unknown): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  return ['EROFS', ...forbidden].includes(errorCode(cause) ?? '')
}

// Begins the record of a file that nobody has indexed yet; false where another process has begun one meanwhile.
export async function claimContent(videoFolder: string, file: Sighting): Promise<boolean> {
  return onDisk(`save what the content of ${file.path} is in ${videoFolder}`, async () => {
    await ensureFolder(videoFolder)
    const temporary = temporaryPath(videoFolder)
    const record = contentFile(videoFolder)
    const content: ContentRecord = { format: 1, files: [file] }
    try {
      await saveRecord(temporary, content)
      await link(temporary, record).catch(error => {
        if (errorCode(error) === 'EEXIST') throw error
        return saveRecord(record, content) // a disk without links
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
