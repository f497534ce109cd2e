import { describe, expect, test } from 'vitest'
import { speakerFinders } from '../../models/speakers/index.ts'
import { overlap, type Span, spanLength } from '../../src/core/time.ts'
import { speak } from '../../src/media/speak.ts'
import { packageFolder } from '../support/counterparts.ts'
import { eachBackend } from './backends.ts'
import { modelFixture } from './model-fixture.ts'
import { all, hasFlite, join, noise, rate, silence, soundFrom } from './sound.ts'

const signal = new AbortController().signal
const folder = modelFixture('speakers') // set by hand to the voices of flite: real models need no number of speakers

async function conversation(): Promise<{ sound: Float32Array; truth: { span: Span; voice: string }[] }> {
  const lines = [
    ['slt', 'the children walked slowly across the frozen river'],
    ['kal16', 'turn left at the bridge and then go straight ahead'],
    ['slt', 'how much does the ticket to the museum cost'],
  ] as const
  const truth: { span: Span; voice: string }[] = []
  let sound = silence(1)
  for (const [voice, text] of lines) {
    const said = await speak(text, voice)
    truth.push({ voice, span: { start: sound.length / rate, end: (sound.length + said.length) / rate } })
    sound = join(sound, said, silence(1))
  }
  return { sound, truth }
}

describe('speaker finders', async () => {
  await eachBackend(speakerFinders, { sherpa: { settings: { packageFolder, folder, count: 2 } } }, service => {
    test.skipIf(!hasFlite)('two voices are two speakers, and the first is known again', async () => {
      const { sound, truth } = await conversation()
      const turns = await all(service().turns(soundFrom(sound), signal))
      const speakers = truth.map(({ span }) => {
        const own = turns.filter(turn => overlap(turn.span, span) > 0.5 * spanLength(turn.span))
        const heard = own.reduce((sum, turn) => sum + overlap(turn.span, span), 0)
        expect(heard).toBeGreaterThan(0.7 * spanLength(span))
        return [...new Set(own.map(turn => turn.speaker))]
      })
      expect(speakers.map(one => one.length)).toEqual([1, 1, 1])
      expect(speakers[2]).toEqual(speakers[0])
      expect(speakers[1]).not.toEqual(speakers[0])
    })

    test.skipIf(!hasFlite)(
      'an hour is heard in blocks, and a voice of the first is the same speaker in the last',
      async () => {
        const { sound, truth } = await conversation()
        const long = soundFrom(join(sound, silence(1300 - sound.length / rate), sound))
        const turns = await all(service().turns(long, signal))
        expect(long.longest).toBeLessThan(750)
        const at = (span: Span, later: number) =>
          turns.find(turn => overlap(turn.span, { start: span.start + later, end: span.end + later }) > 1)?.speaker
        for (const { span } of truth) {
          expect(at(span, 0)).toBeDefined()
          expect(at(span, 1300)).toBe(at(span, 0))
        }
      },
    )

    test('nobody speaks in silence, nor in a sound without length', async () => {
      expect(await all(service().turns(soundFrom(silence(5)), signal))).toEqual([])
      expect(await all(service().turns(soundFrom(silence(0)), signal))).toEqual([])
    })

    test('an aborted search ends with the reason of the abort, and the next one works', async () => {
      const stop = new AbortController()
      setTimeout(() => stop.abort(new Error('enough')), 30)
      await expect(all(service().turns(soundFrom(noise(120, 0.1)), stop.signal))).rejects.toThrow('enough')
      expect(await all(service().turns(soundFrom(silence(5)), signal))).toEqual([])
    })
  })
})

test('the error names the package and the command where it is not installed', async () => {
  const opened = speakerFinders.open(
    'sherpa',
    { packageFolder: '/', folder },
    {
      ...{ folder: '', environment: {}, signal, say() {} },
    },
  )
  await expect(opened).rejects.toMatchObject({
    message: expect.stringContaining('sherpa-onnx-node'),
    hint: expect.stringContaining('npm install sherpa-onnx-node'),
  })
})
