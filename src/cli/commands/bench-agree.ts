import { findRun, type SecondOpinion, secondOpinion } from '../../../eval/bench.ts'
import { UsageError } from '../../core/errors.ts'
import { pathOption } from '../bench/paths.ts'
import { result } from '../output.ts'
import { fileName, oneLine } from '../sanitise.ts'
import type { CommandRun } from '../table/types.ts'
import { version } from '../version.ts'

const agree: CommandRun = async call => {
  const judge = call.text('--judge')
  if (judge !== 'model' && judge !== 'words')
    throw new UsageError('--judge is missing: who shall be the second judge?', { hint: 'Choose one of: model, words.' })
  const home = await call.home()
  const opinion = await secondOpinion(
    {
      folder: await findRun(call.arguments[0], call.world.cwd, home),
      judge,
      wording: pathOption(call, '--wording'),
      limit: call.wholeNumber('--limit'),
      onJudged: (done, total) => call.terminal.draw([`judged ${done} of ${total}`]),
    },
    {
      config: await call.settings(),
      home,
      environment: call.world.environment,
      version: version(),
      say: line => call.remark(line),
      signal: call.signal,
    },
  )
  call.terminal.draw([])
  result(
    call,
    () => ({ ...opinion }),
    () => lines(opinion),
  )
  return 0
}
export default agree

function lines({
  first,
  second,
  n,
  agreed,
  share,
  kappa,
  difference,
  disputed,
  unjudged,
  file,
}: SecondOpinion): string[] {
  const number = (value: number | null, digits: number) => (value === null ? '-' : value.toFixed(digits))
  return [
    `${oneLine(first)} and ${oneLine(second)} over ${n} answers: ${agreed} alike (${number(share === null ? null : share * 100, 1)} %), kappa ${number(kappa, 2)}.`,
    `The second gives ${number(difference === null ? null : difference * 100, 1)} points more on average.`,
    ...(unjudged > 0 ? [`${unjudged} answers were left without a verdict by one of them.`] : []),
    ...disputed
      .slice(0, 20)
      .map(({ id, first: a, second: b }) => `  ${oneLine(id)}: ${a.toFixed(2)} and ${b.toFixed(2)}`),
    ...(disputed.length > 20 ? [`  and ${disputed.length - 20} more`] : []),
    `Verdicts: ${fileName(file)}`,
  ]
}
