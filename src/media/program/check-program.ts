import { UsageError } from '../../core/errors.ts'
import { findProgram, howToInstall, programVariable } from './find-program.ts'
import { lastLine, runProgram } from './run-program.ts'

// Throws where what is started as ffmpeg or ffprobe is another program. Asked when it has failed.
export async function checkProgram(name: 'ffmpeg' | 'ffprobe'): Promise<void> {
  const versionRun = await runProgram(name, ['-version'], {
    failure: 'return',
    timeoutSeconds: 30,
    maxStdoutBytes: 65_536,
  })
  if (new RegExp(`^${name} version`).test(versionRun.stdout.toString('utf8'))) return
  const path = (await findProgram(name)) ?? name
  const variable = programVariable(name)
  const from = process.env[variable] ? ` (from ${variable})` : ''
  const message = lastLine(versionRun.stderr).slice(0, 200)
  throw new UsageError(
    `"${path}"${from} is not ${name}: with -version it ended with code ${versionRun.code}${message ? ` and wrote "${message}"` : ' and named no version'}.`,
    { hint: howToInstall(name) },
  )
}
