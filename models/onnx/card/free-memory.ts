import type { Host } from '../../../src/core/backend.ts'
import { errorText } from '../../../src/core/errors.ts'
import { runProgram } from '../../../src/media/program/run-program.ts'

const told = new WeakSet<Host['environment']>()

// Free memory of the card that CUDA takes first, MB; undefined where the driver does not tell, which is said once.
export async function freeMegabytes({ environment, signal, say }: Host): Promise<number | undefined> {
  const [card] = (environment.CUDA_VISIBLE_DEVICES ?? '').split(',')
  const query = ['--query-gpu=memory.free', '--format=csv,noheader,nounits']
  try {
    const { stdout } = await runProgram('nvidia-smi', card ? ['-i', card, ...query] : query, {
      timeoutSeconds: 20,
      signal,
    })
    const mebibytes = Number.parseInt(stdout.toString(), 10)
    if (!Number.isFinite(mebibytes)) throw new Error(`nvidia-smi answered "${stdout.toString().trim().slice(0, 80)}"`)
    return mebibytes * 1.048576
  } catch (error) {
    signal.throwIfAborted()
    if (!told.has(environment))
      say(`The free memory of the card is not known (${errorText(error)}): models are opened until it has none left.`)
    told.add(environment)
    return undefined
  }
}
