import { pageAddress } from '../../../../src/core/api/pages.ts'
import { Text } from '../../../../src/page/text.tsx'
import { CostCell } from './cost.tsx'
import { points, ScoreBar, ScoreText } from './interval.tsx'
import type { ConfigurationSummary, Report } from './types.ts'

// Each configuration with its scores; a bar opens the questions that it got wrong.
export function Configurations({ of: { report, configurations } }: { of: Report }) {
  return (
    <section class="panel configurations" aria-labelledby="configurations-title">
      <h2 id="configurations-title">{configurations.length === 1 ? 'Score' : 'Configurations'}</h2>
      <ol>
        {configurations.map(one => (
          <Line key={one.configuration} report={report} of={one} />
        ))}
      </ol>
    </section>
  )
}

function Line({ report, of }: { report: string; of: ConfigurationSummary }) {
  const { configuration, name, changes, settings, finished, tasks, differences, aim, cost } = of
  return (
    <li>
      <div class="what">
        <b>
          <Text of={name} />
        </b>
        {[...changes, ...settings]
          .filter(change => change !== name)
          .map(change => (
            <p class="small dim" key={change}>
              <Text of={change} />
            </p>
          ))}
        <p class="small dim">
          <CostCell of={cost} />
          {!finished && ' · not finished'}
        </p>
      </div>
      <div class="scores">
        {tasks.map(score => (
          <div key={score.task}>
            <ScoreBar of={score} href={pageAddress('report', { report }, { show: 'wrong', in: configuration })} />
            <ScoreText of={score} />
            <Difference of={differences.find(({ task }) => task === score.task)} />
            <Aim of={aim.find(({ task }) => task === score.task)} />
          </div>
        ))}
      </div>
    </li>
  )
}

// Against the base, in points; "sure" where the corrected test says so at 5 %.
function Difference({ of }: { of: ConfigurationSummary['differences'][number] | undefined }) {
  if (!of) return null
  const { difference, low, high, p } = of
  const sure = p < 0.05
  return (
    <span class={`difference ${sure ? (difference < 0 ? 'bad' : 'good') : ''}`}>
      {difference < 0 ? '▼' : '▲'} {signed(difference)}{' '}
      <span class="dim">
        {signed(low)} to {signed(high)}, p {p.toFixed(3)}
        {sure ? '' : ', may be chance'}
      </span>
    </span>
  )
}

// Whether the evidence of the answers lay where the answers are, and what came of it.
function Aim({ of }: { of: ConfigurationSummary['aim'][number] | undefined }) {
  if (!of) return null
  const { n, hits, width, landed, missed, frames } = of
  const right = (score: typeof landed, where: string) =>
    score && `, ${points(score.accuracy)} % of ${score.n} right where it ${where}`
  return (
    <p class="small dim">
      evidence landed {hits} of {n} times{width !== null && `, ${width.toFixed(1)} s wide`}
      {right(landed, 'landed')}
      {right(missed, 'missed')}
      {frames > 0 && `, ${frames.toFixed(1)} frames`}
    </p>
  )
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${points(value)}`
}
