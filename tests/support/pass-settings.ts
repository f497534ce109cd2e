import type { PassSettings } from '../../src/media/pass/decode-pass.ts'

const usual: PassSettings = {
  stillsPerSecond: 1,
  stillWidth: 1280,
  level: 'balanced',
  segments: 'auto',
  decoder: 'software',
}

export function passSettings(changes: Partial<PassSettings> = {}): PassSettings {
  return { ...usual, ...changes }
}
