import { open } from 'node:fs/promises'
import { InputError } from '../errors.ts'

// The bytes of a file that somebody else may have made. One that is larger than its kind ever is, or a device that never ends, is an
// error that names the bound; nothing of it is read.
export async function readBounded(path: string, most: number): Promise<Buffer> {
  await using file = await open(path)
  const stats = await file.stat()
  if (stats.isDirectory()) throw new InputError(`${path} is a folder and no file.`)
  if (stats.isCharacterDevice() || stats.isBlockDevice()) throw new InputError(`${path} is a device and no file.`)
  if (stats.size > most) throw tooLarge(path, `${stats.size} bytes`, most)
  if (stats.isFile()) return file.readFile()
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of file.createReadStream({ autoClose: false })) {
    size += (piece as Buffer).length
    if (size > most) throw tooLarge(path, 'more', most)
    pieces.push(piece as Buffer)
  }
  return Buffer.concat(pieces)
}

export async function readBoundedText(path: string, most: number): Promise<string> {
  return (await readBounded(path, most)).toString('utf8')
}

function tooLarge(path: string, has: string, most: number): InputError {
  return new InputError(`${path} has ${has}, and at most ${most} bytes of it are read.`)
}
