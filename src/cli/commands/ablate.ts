import { ablationSchema, openStudy, type Study } from '../../../eval/ablate/index.ts'
import { InterruptedError, UsageError } from '../../core/errors.ts'
import { planLines } from '../ablate/plan-lines.ts'
import { ablateRequest } from '../ablate/request.ts'
import { studyLines } from '../ablate/study-lines.ts'
import { benchProgress } from '../bench/bench-progress.ts'
import { preflightLines } from '../bench/preflight-lines.ts'
import type { Call } from '../call.ts'
import { exitCodes } from '../fail.ts'
import { result } from '../output.ts'
import { fileName, oneLine, safeJson } from '../sanitise.ts'
import type { CommandRun } from '../table/types.ts'
import { version } from '../version.ts'

const ablate: CommandRun = async call => {
  if (call.has('--schema')) {
    call.terminal.out(`${safeJson(ablationSchema(), 2)}\n`)
    return exitCodes.ok
  }
  const request = await ablateRequest(call)
  const study = await openStudy(request, {
    cwd: call.world.cwd,
    home: await call.home(),
    environment: call.world.environment,
    version: version(),
    say: line => call.remark(line),
    signal: call.signal,
  })
  try {
    return await carryOut(call, study)
  } finally {
    await study.close()
  }
}
export default ablate

async function carryOut(call: Call, study: Study): Promise<number> {
  call.remark(`Base: profile ${study.profile.name}: ${study.profile.why}.`)
  const checked = await study.check((done, total) => call.terminal.draw([`checking ${done} of ${total} videos`]))
  call.terminal.draw([])
  const plan = await study.plan(checked)
  if (call.has('--dry-run')) {
    result(
      call,
      () => ({ preflight: checked, plan }),
      () => [...preflightLines(checked), '', ...planLines(plan)],
    )
    return checked.askable === checked.samples ? exitCodes.ok : exitCodes.partial
  }
  for (const line of [...preflightLines(checked), ...planLines(plan)]) call.remark(line)
  if (checked.askable === 0)
    throw new UsageError('Not one of the videos can be read.', { hint: 'Say where they lie with --videos FOLDER.' })
  const files = await study.openFiles()
  const progress = await benchProgress(call, 'auto')
  call.remark(`Study: ${fileName(files.folder)}`)
  try {
    const done = await study.run(files, checked, {
      ...progress,
      onRow: (row, place, of) => call.remark(`Row ${place + 1} of ${of}: ${oneLine(row.name)}`),
    })
    progress.finish()
    result(
      call,
      () => ({ study: files.folder, ...done }),
      () => [...studyLines(done, call.terminal), '', `More: ${fileName(files.folder)}/report.html`],
    )
    return done.rows.some(row => row.failed > 0) ? exitCodes.partial : exitCodes.ok
  } catch (error) {
    progress.finish()
    const command = `longtake ablate --resume ${/^[\w@%+=:,./-]+$/.test(files.folder) ? files.folder : `'${files.folder}'`}`
    if (error instanceof InterruptedError || call.signal.aborted)
      throw new InterruptedError('Stopped; everything that was answered is kept.', {
        hint: `Go on with: ${command}`,
        cause: error,
      })
    call.remark(`What was answered is kept. Go on with: ${command}`)
    throw error
  } finally {
    files.close()
  }
}
