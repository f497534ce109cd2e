// One file in an archive. Reading it fails where it is not as large, or not the same, as the archive says.
export interface Member {
  name: string // as the archive has it, with "/"
  size: number
  raw?: Buffer // the bytes of the name, where they may be in an encoding that the archive does not name
  target?: Member // for a hard link: the file that it is
  fault?: string // why it cannot be read
}

export class ArchiveError extends Error {}

// The folders and the name under which a member may be put below a folder of ours; undefined where its name would lead out of it,
// or means something else on another system.
export function safePath(name: string): string[] | undefined {
  const parts = name.replace(/^(?:\.\/)+/, '').split('/')
  const safe = parts.every(
    part => part !== '' && part !== '.' && part !== '..' && Buffer.byteLength(part) <= 200 && !odd.test(part),
  )
  return safe && parts.length <= 20 && Buffer.byteLength(name) <= 1000 ? parts : undefined
}

const odd = /[\\:\p{Cc}]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu

// Passes the bytes on while they are no more than promised; fails at the end where they are fewer.
export async function* exactly(bytes: AsyncIterable<Uint8Array>, { name, size }: Member): AsyncIterable<Uint8Array> {
  let seen = 0
  for await (const piece of bytes) {
    seen += piece.length
    if (seen > size) throw new ArchiveError(`${name} is larger than the archive says.`)
    yield piece
  }
  if (seen < size) throw new ArchiveError(`${name} ends after ${seen} of ${size} bytes.`)
}
