// How much memory this process and its children may take together: one bound for each process.

export interface MemoryBound {
  megabytes: number // of 1,000,000 bytes
  from: 'setting' | 'container'
}

let bound: MemoryBound | undefined

export function setMemoryBound(chosen: MemoryBound | undefined): void {
  bound = chosen
}

export function memoryBound(): MemoryBound | undefined {
  return bound
}

// What Node with our modules takes before any stage runs (resident, shared pages included), and the margin of error of estimates.
const ownMegabytes = 125
const reserve = 0.06

// What is left for stages, MB; undefined if there is no bound.
export function memoryRoom(): number | undefined {
  return bound && bound.megabytes * (1 - reserve) - ownMegabytes
}

// The bound that leaves so much room.
export function boundFor(room: number): number {
  return Math.ceil((room + ownMegabytes) / (1 - reserve) / 10) * 10
}

// How many of something fit, at least one: `each` MB, besides `fixed` that they share.
export function countFitting(wanted: number, each: number, fixed = 0, room = memoryRoom()): number {
  if (room === undefined) return wanted
  return Math.max(1, Math.min(wanted, Math.floor((room - fixed) / each)))
}

// "500MB" counts in thousands, "512MiB" in 1024s; undefined if the text is not a size.
export function megabytesIn(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?) ?([KMGT])(i?)B?$/i.exec(text.trim())
  if (!match) return undefined
  const [, amount, unit = '', binary] = match
  return (Number(amount) * (binary ? 1024 : 1000) ** ('KMGT'.indexOf(unit.toUpperCase()) + 1)) / 1e6
}

// Frees what is no longer referenced, if the process exposes the collector (bin/longtake.mjs does; a library's process with
// --expose-gc). V8 lets up to 64 MB of buffers that lived for some seconds wait, since they hardly count in its own heap; call this
// where many of them have just been released.
export function collectGarbage(): void {
  globalThis.gc?.()
}
