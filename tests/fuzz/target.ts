import type { Draw } from './mutate/draw.ts'

// An entry point for untrusted bytes.
export interface Target {
  name: string
  summary: string
  guided: RegExp // source files whose coverage guides the search
  seeds(): Promise<Buffer[]> // small whole inputs; made here, never fetched
  mutate(input: Buffer, draw: Draw, other: Buffer): Buffer
  // Resolves where the input was read; throws our typed errors where it was refused, and Breach where a result breaks a promise.
  run(input: Buffer): Promise<void>
}

// A result that breaks what the entry point promises, although nothing was thrown.
export class Breach extends Error {}

export function areTexts(values: readonly unknown[]): boolean {
  return values.every(value => typeof value === 'string')
}

export function promise(holds: boolean, what: string): void {
  if (!holds) throw new Breach(what)
}
