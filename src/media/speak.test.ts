import { afterEach, describe, expect, test } from 'vitest'
import { UsageError } from '../core/errors.ts'
import { speak } from './speak.ts'

afterEach(() => {
  delete process.env.LONGTAKE_FLITE
})

describe('speak', () => {
  test('a longer sentence takes longer, and starts and ends close to its words', async () => {
    const short = await speak('Good morning.', 'rms')
    const long = await speak('Good morning and welcome to the town council of this city.', 'rms')
    expect(short.length / 16000).toBeGreaterThan(0.4)
    expect(long.length).toBeGreaterThan(short.length * 2)
    const firstHeard = long.findIndex(sample => Math.abs(sample) > 0.01)
    expect(firstHeard / 16000).toBeLessThan(0.05)
  })

  test('the same words and voice give the same samples, another voice gives others', async () => {
    const first = await speak('The train leaves at nine.', 'slt')
    const other = await speak('The train leaves at nine.', 'awb')
    const again = await speak('The train leaves at nine. ', 'slt') // another key, so it is spoken anew
    expect(Buffer.from(again.buffer).equals(Buffer.from(first.buffer))).toBe(true)
    expect(other.length).not.toBe(first.length)
  })

  test('words that a shell would read as orders are only spoken', async () => {
    const sound = await speak('five $(exit 3) "six" `seven`; exit 4', 'kal16')
    expect(sound.length / 16000).toBeGreaterThan(1)
  })

  test('without flite it says how to get it', async () => {
    process.env.LONGTAKE_FLITE = '/nowhere/flite'
    const attempt = speak('Nobody can say this.', 'rms')
    await expect(attempt).rejects.toThrow(UsageError)
    await expect(attempt).rejects.toMatchObject({ hint: 'apt-get install -y flite' })
  })
})
