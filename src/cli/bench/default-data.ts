import { bundledFolder } from '../../../eval/bench.ts'
import type { Call } from '../call.ts'

// The data of a benchmark that brings its own, where --data is left out.
export function defaultData(call: Call, benchmark: string, home: string): Promise<string> {
  return bundledFolder(benchmark, home, {
    onProgress: (done, total, name) =>
      call.terminal.draw([`rendering ${name}: ${Math.round(done)} of ${Math.round(total)} s`]),
    signal: call.signal,
  })
}
