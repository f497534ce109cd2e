import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { absentAs, UsageError } from '../../core/errors.ts'
import { archiveAt } from '../../store/archive/find-archives.ts'
import { safePath } from '../../store/archive/member.ts'
import { openArchive } from '../../store/archive/open-archive.ts'
import { openUnpacked, type Unpacked } from '../../store/unpacked.ts'

type OwnFiles = Pick<Unpacked, 'folder' | 'close'> & { archive?: string }

// A folder of one's own as it is; an archive (tar, tar.gz, zip) is unpacked into a temporary folder for as long as it is open.
export async function openOwnFiles(from: string, cwd: string, signal: AbortSignal): Promise<OwnFiles> {
  const path = resolve(cwd, from)
  const stats = await stat(path).catch(absentAs(undefined, 'ENOTDIR'))
  if (stats?.isDirectory()) return { folder: path, close: async () => {} }
  const files = stats && (await archiveAt(path))
  if (!files)
    throw new UsageError(stats ? `${from} is not a folder, tar, tar.gz or zip.` : `There is no ${from}.`, {
      hint: 'Name with --from a folder, or an archive of it, that holds ORGANISATION/NAME/FILE of each model and SHA256SUMS.',
    })
  const unpacked = await openUnpacked()
  try {
    const archive = await openArchive(files, signal)
    await archive.each(new Set(archive.members.map(({ name }) => name)), async ({ name }, content) => {
      const parts = safePath(name)
      if (parts) await unpacked.add(parts, content)
    })
    return { folder: unpacked.folder, close: () => unpacked.close(), archive: from }
  } catch (error) {
    await unpacked.close()
    throw error
  }
}
