import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join, parse } from 'node:path'
import type { Need } from '../../src/core/backend.ts'
import { absentAs, errorText, forbidden, UsageError } from '../../src/core/errors.ts'
import type { Frame } from '../../src/core/video.ts'
import { decodeImage } from '../../src/media/image.ts'

export interface KnownPerson {
  name: string
  pictures: [Frame, ...Frame[]]
}

const endings = new Set(['.jpg', '.jpeg', '.png', '.webp', '.tif', '.tiff'])

// A folder of pictures of people: "Ada.jpg", or "Ada/" with several. The name of a picture or folder is that of the person.
export async function knownPeople(folder: string): Promise<KnownPerson[]> {
  const people = new Map<string, KnownPerson['pictures']>()
  const add = async (name: string, file: string) => {
    const picture = await readPicture(file)
    const known = people.get(name)
    if (known) known.push(picture)
    else people.set(name, [picture])
  }
  for (const entry of (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      for (const file of (await readdir(path)).sort()) if (isPicture(file)) await add(entry.name, join(path, file))
    } else if (isPicture(entry.name)) await add(parse(entry.name).name, path)
  }
  return [...people].map(([name, pictures]) => ({ name, pictures }))
}

export function peopleNeed(folder: string): Need {
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
    return await decodeImage(await readFile(file))
  } catch (cause) {
    throw new UsageError(`${file} cannot be read as a picture: ${errorText(cause)}`, {
      hint: 'Take it out of the folder of people, or save it anew as JPEG or PNG.',
      cause,
    })
  }
}

function isPicture(file: string): boolean {
  return !file.startsWith('.') && endings.has(extname(file).toLowerCase())
}
