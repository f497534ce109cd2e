import { visibleFileName, visibleLine } from '../../core/words/visible-text.ts'
import type { DownloadProgress } from '../../runtime/models/models-manager.ts'
import type { Call } from '../call.ts'
import { formatBytes } from './format.ts'

// On a terminal one line that changes, elsewhere a line for each tenth of a file.
export function pullProgress(call: Call): (progress: DownloadProgress) => void {
  let last = ''
  return ({ model, path, done, total }) => {
    if (call.has('--quiet')) return
    const share = total ? Math.floor((done / total) * (call.terminal.live ? 1000 : 10)) : 0
    const step = `${model} ${path} ${share}`
    if (step === last) return
    last = step
    const size = total ? `${formatBytes(done)} of ${formatBytes(total)}` : formatBytes(done)
    const line = `  ${visibleFileName(model)} ${visibleLine(path)}: ${size}`
    if (call.terminal.live) call.terminal.draw([line])
    else if (total && done === total) call.terminal.say(line)
  }
}
