import { fileURLToPath } from 'node:url'
import { UsageError } from '../../src/core/errors.ts'
import { builtFile } from '../../src/core/machine/built-folder.ts'
import { startLasting } from '../../src/media/program/lasting-program.ts'
import type { PythonValue } from '../python/value.ts'

const megabytes = 1024
const patience = 60_000 // milliseconds

// The rows of a Parquet file, decoded in a process of its own: a page of 30 bytes may claim a run of 2^30 values, and where that is
// written into a list, V8 ends the process whole.
export async function readParquet(file: string): Promise<PythonValue[]> {
  const args = [`--max-old-space-size=${megabytes}`, ...workerArguments(), file]
  const program = startLasting({ command: process.execPath, args, environment: {}, channel: true })
  const timer = setTimeout(program.kill, patience)
  const rows: PythonValue[] = []
  program.stdout.resume()
  program.stderr.resume()
  try {
    await new Promise<void>((resolve, reject) => {
      program.started.catch(reject)
      program.onMessage(message => {
        if (Array.isArray(message)) rows.push(...message)
        else if (message === 'end') resolve()
        else reject(new Error((message as { error: string }).error))
      })
      program.onEnd(() => reject(new Error(`reading it took more than ${megabytes} MB or ${patience / 1000} s`)))
    })
    return rows
  } catch (cause) {
    throw new UsageError(`${file} is not Parquet that can be read: ${(cause as Error).message}.`, {
      hint: 'The file looks cut short or is of another format; fetch it again.',
      cause,
    })
  } finally {
    clearTimeout(timer)
    program.kill()
  }
}

// The first file of the process: of a build, or as TypeScript through tsx.
function workerArguments(): string[] {
  const { url } = import.meta
  const built = builtFile(url, 'parquet-worker')
  if (built) return [fileURLToPath(built)]
  return ['--import', import.meta.resolve('tsx'), fileURLToPath(new URL('parquet-worker.ts', url))]
}
