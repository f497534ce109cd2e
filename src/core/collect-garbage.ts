import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: (() => void) | undefined

// Gives back at once what has been let go of. Bytes that lived for some seconds wait for V8 until there are 64 MB of them, since
// they hardly count in its own heap; call this where many of them have just been let go of.
export function collectGarbage(): void {
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = globalThis.gc ?? (runInNewContext('gc') as () => void)
  }
  collect()
}
