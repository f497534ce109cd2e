import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { stageParts } from './stage-parts.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-parts-'))
})
const open = () => stageParts(folder, 'decode', 'k', name => name).parts
const place = (name: string) => join(folder, 'parts/decode-k', name)

// Two growing files, saved in the middle, and then a kill.
async function stopped(): Promise<void> {
  const parts = open()
  const [stills, sound] = [await parts.append('stills.bin', 0), await parts.append('sound.pcm', 0)]
  await stills.write(Buffer.from('first still'))
  await sound.write(Buffer.from('first sound'))
  await parts.save(Buffer.from('state one'))
  await stills.write(Buffer.from(', never saved'))
  await stills.close()
  await sound.close()
}

async function flip(file: string, at: number): Promise<void> {
  const bytes = await readFile(file)
  bytes[at]! ^= 1
  await writeFile(file, bytes)
}

describe('the parts of a stopped stage', () => {
  test('are resumed from what was saved, and what came later is cut off', async () => {
    await stopped()
    const parts = open()
    expect(String(await parts.state())).toBe('state one')
    const stills = await parts.append('stills.bin', 'first still'.length)
    await stills.write(Buffer.from(', second'))
    await parts.save(Buffer.from('state two'))
    await stills.close()
    expect(await readFile(place('stills.bin'), 'utf8')).toBe('first still, second')
    const again = open()
    expect(String(await again.state())).toBe('state two')
    await (await again.append('stills.bin', 'first still, second'.length)).close()
  })

  test('can be closed while a state is saved', async () => {
    const parts = open()
    for (let round = 0; round < 60; round++) {
      const sound = await parts.append('sound.pcm', 0)
      await sound.write(Buffer.from(`sound ${round}`))
      const saving = parts.save(Buffer.from('one'))
      await sleep(round / 20) // ms: some round closes the file while the saving waits for it
      await Promise.all([saving, sound.close()])
    }
    await parts.save(Buffer.from('two'))
    expect(String(await open().state())).toBe('two')
    expect(await readFile(place('sound.pcm'), 'utf8')).toBe('sound 59')
  })

  test('fault 30: are begun anew where any byte of the state or of a file was changed', async () => {
    await stopped()
    const { length } = await readFile(place('state'))
    for (let at = 0; at < length; at++) {
      await flip(place('state'), at)
      expect(await open().state(), `byte ${at}`).toBeUndefined()
      await flip(place('state'), at)
    }
    await flip(place('stills.bin'), 3)
    const parts = open()
    await parts.state()
    await expect(parts.append('stills.bin', 5)).rejects.toThrow('"stills.bin" has other content than was written')
    await (await parts.append('stills.bin', 0)).close()
    await (await parts.append('sound.pcm', 5)).close()
  })
})
