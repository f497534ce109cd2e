import { BackendError, UsageError } from '../core/errors.ts'
import { pcmToFloats, sampleRate } from './audio.ts'
import { findProgram } from './program/find-program.ts'
import { runProgram } from './program/run-program.ts'
import type { SceneVoice } from './render/scene.ts'

const spoken = new Map<string, Promise<Float32Array>>()

// A sentence as 16 kHz mono sound, without the silence around it. The same words and voice give the same samples.
// It is kept, so a caller must not change it.
export function speak(text: string, voice: SceneVoice, signal?: AbortSignal): Promise<Float32Array> {
  const key = `${voice}:${text}`
  const spokenBefore = spoken.get(key)
  if (spokenBefore) return spokenBefore
  const sound = synthesise(text, voice, signal)
  spoken.set(key, sound)
  sound.catch(() => spoken.delete(key))
  return sound
}

async function synthesise(text: string, voice: SceneVoice, signal?: AbortSignal): Promise<Float32Array> {
  const flite = await findProgram('flite')
  if (!flite)
    throw new UsageError('flite, which speaks the sentences, is not installed.', { hint: 'apt-get install -y flite' })
  // flite writes to a named file only; a Node pipe cannot be opened by name, but one made by the shell can.
  const command = '"$1" -voice "$2" -t "$3" -o /dev/stdout | cat'
  const { stdout, stderr } = await runProgram('sh', ['-c', command, 'sh', flite, voice, text], {
    signal,
    timeoutSeconds: 60,
  })
  const samples = readSamples(stdout)
  if (!samples)
    throw new BackendError(`flite said nothing for "${text}" (voice ${voice})${stderr ? `: ${stderr.trim()}` : ''}.`)
  return trimmed(samples)
}

// Reads a RIFF file of 16-bit mono samples; undefined if it is none.
function readSamples(wav: Buffer): Float32Array | undefined {
  if (wav.length < 44 || wav.toString('latin1', 0, 4) !== 'RIFF' || wav.readUInt32LE(24) !== sampleRate)
    return undefined
  const body = wav.subarray(wav.indexOf('data', 12, 'latin1') + 8)
  return pcmToFloats(body)
}

function trimmed(samples: Float32Array): Float32Array {
  const margin = sampleRate * 0.03
  const heard = (value: number) => Math.abs(value) > 0.01
  const first = samples.findIndex(heard)
  if (first < 0) return samples
  return samples.slice(Math.max(0, first - margin), samples.findLastIndex(heard) + margin)
}
