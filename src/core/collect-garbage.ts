// Gives back at once what has been let go of, where the process lets us (bin/longtake.mjs does; a library's process with
// --expose-gc). Bytes that lived for some seconds wait for V8 until there are 64 MB of them, since they hardly count in its own
// heap; call this where many of them have just been let go of.
export function collectGarbage(): void {
  globalThis.gc?.()
}
