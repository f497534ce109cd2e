import { readdir, stat } from 'node:fs/promises'
import { extname, join, parse } from 'node:path'
import { z } from 'zod'
import type { ModelNeed } from '../../src/core/backend.ts'
import { absentAs, errorText, forbidden, UsageError } from '../../src/core/errors.ts'
import { readBounded } from '../../src/core/machine/read-bounded.ts'
import type { Frame } from '../../src/core/video.ts'
import { decodeImage } from '../../src/media/image.ts'

interface KnownPerson {
  name: string
  pictures: [Frame, ...Frame[]]
}

const endings = new Set(['.jpg', '.jpeg', '.png', '.webp', '.tif', '.tiff'])

// A folder, or the files of each by name.
export const PeopleSetting = z
  .union([z.string().min(1), z.record(z.string(), z.array(z.string()))])
  .describe('folder with pictures of people: "Ada.jpg", or "Ada/" with several; or {"Ada": [FILE, ...]}')
type People = z.infer<typeof PeopleSetting>

// In a folder the name of a picture, or of a folder of several, is that of the person.
export async function readKnownPeople(given: People): Promise<KnownPerson[]> {
  const people = new Map<string, KnownPerson['pictures']>()
  const add = async (name: string, file: string) => {
    const picture = await readPicture(file)
    const earlierPictures = people.get(name)
    if (earlierPictures) earlierPictures.push(picture)
    else people.set(name, [picture])
  }
  const files = typeof given === 'string' ? await filesIn(given) : Object.entries(given)
  for (const [name, paths] of files) for (const path of paths) await add(name, path)
  return [...people].map(([name, pictures]) => ({ name, pictures }))
}

async function filesIn(folder: string): Promise<[name: string, paths: string[]][]> {
  const entries: [string, string[]][] = []
  for (const entry of (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      const files = (await readdir(path)).sort().filter(isPicture)
      entries.push([entry.name, files.map(file => join(path, file))])
    } else if (isPicture(entry.name)) entries.push([parse(entry.name).name, [path]])
  }
  return entries
}

export function peopleNeeds(people: People | undefined): ModelNeed[] {
  return typeof people === 'string' ? [folderNeed(people)] : []
}

function folderNeed(folder: string): ModelNeed {
  return {
    name: `the folder of people ${folder}`,
    met: () =>
      stat(folder)
        .then(found => found.isDirectory())
        .catch(absentAs(false, ...forbidden)),
    mend: 'Set models.faces.people to a folder with pictures: "Ada.jpg", or "Ada/" with several.',
  }
}

async function readPicture(file: string): Promise<Frame> {
  try {
    return await decodeImage(await readBounded(file, 256e6))
  } catch (cause) {
    throw new UsageError(`${file} cannot be read as a picture: ${errorText(cause)}`, {
      hint: 'Take it out of the pictures of people, or save it anew as JPEG or PNG.',
      cause,
    })
  }
}

function isPicture(file: string): boolean {
  return !file.startsWith('.') && endings.has(extname(file).toLowerCase())
}
