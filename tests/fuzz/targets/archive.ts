import { writeFileSync } from 'node:fs'
import type { ArchiveFiles } from '../../../src/store/archive/find-archives.ts'
import { safePath } from '../../../src/store/archive/member.ts'
import { openArchive } from '../../../src/store/archive/open-archive.ts'
import { scratch } from '../scratch.ts'
import { promise } from '../target.ts'

// Opens an archive as the data sets come and reads every member whole.
export async function readArchive(sort: ArchiveFiles['sort'], input: Buffer): Promise<void> {
  const file = scratch(`archive.${sort}`)
  writeFileSync(file, input)
  const archive = await openArchive({ sort, files: [file], bytes: input.length })
  promise(archive.members.length <= input.length, 'members are no more than bytes')
  for (const { name, size } of archive.members) {
    promise(Number.isSafeInteger(size) && size >= 0, `the size of a member is a count of bytes, not ${size}`)
    const path = safePath(name)
    promise(!path?.some(part => part === '..' || part === '' || part.includes('\\')), `${name} leads nowhere else`)
  }
  await archive.each(new Set(archive.members.map(({ name }) => name)), async (member, content) => {
    let read = 0
    for await (const piece of content) read += piece.length
    promise(read === member.size, `a member is as long as it says: ${read} of ${member.size}`)
  })
}
