import { useSignal } from '@preact/signals'
import { roleTitle } from '../../../../src/core/words/role-title.ts'
import { Text } from '../../../../src/page/text.tsx'
import { api, type ReplyTo } from '../api.ts'
import { useLoad } from '../load.ts'
import { Copy } from '../parts/copy.tsx'
import { formatSize } from '../parts/format.ts'
import { ProblemNotice } from '../parts/problem.tsx'

type Report = ReplyTo<'GET /doctor'>

const signs: Record<string, { sign: string; tone: string }> = {
  ready: { sign: '✓', tone: 'good' },
  weak: { sign: '◐', tone: 'warn' },
  missing: { sign: '✕', tone: 'bad' },
  broken: { sign: '✕', tone: 'bad' },
  off: { sign: '–', tone: '' },
}

// As "longtake doctor" says it. To look is quick; to try runs each model once.
export function Doctor() {
  const depth = useSignal<'look' | 'try'>('look')
  const { loaded, again } = useLoad(signal => api('GET /doctor', { query: { depth: depth.value }, signal }))
  const { value, error, state } = loaded.value
  return (
    <section aria-labelledby="doctor-title">
      <div class="section-head">
        <h2 id="doctor-title">What is ready</h2>
        {value && (
          <span class={`chip ${value.healthy ? 'good' : 'bad'}`}>
            {value.healthy ? '✓ ready to answer' : '✕ something is missing'}
          </span>
        )}
        <button
          type="button"
          class="small"
          disabled={state === 'loading'}
          onClick={() => {
            if (depth.value === 'try') again()
            depth.value = 'try'
          }}
        >
          Try each model
        </button>
      </div>
      {state === 'loading' && <p class="loading">Checking…</p>}
      {error && <ProblemNotice error={error} again={again} />}
      {value && <Parts report={value} />}
    </section>
  )
}

function Parts({ report }: { report: Report }) {
  const { profile, why, fault, node, home } = report
  const programs = [...report.programs, ...report.packages].filter(({ state }) => state !== 'left out')
  return (
    <>
      <p class="dim small">
        Profile {profile}
        {why !== undefined && (
          <>
            : <Text of={why} />
          </>
        )}
      </p>
      {fault && (
        <div class="problem">
          <Text of={fault.what} />
          {fault.mend !== undefined && <Copy text={fault.mend} label="the next step" />}
        </div>
      )}
      <ul class="panel rows">
        {report.roles.map(({ role, backend, state, detail, mend }) => (
          <Row key={role} name={roleTitle(role)} by={backend} {...{ state, detail, mend }} />
        ))}
        {programs.map(({ name, state, detail, mend }) => (
          <Row key={name} name={name} by="" {...{ state, detail, mend }} />
        ))}
        <Row name="Node" by={node} state="ready" detail="" />
        <Row
          name="data folder"
          by=""
          state={home.writable ? 'ready' : 'broken'}
          detail={`${home.path}, ${formatSize(home.free)} free`}
        />
      </ul>
    </>
  )
}

interface RowProps {
  name: string
  by: string
  state: string
  detail?: string
  mend?: string
}

function Row({ name, by, state, detail = '', mend }: RowProps) {
  const { sign, tone } = signs[state] ?? { sign: '·', tone: '' }
  return (
    <li class="check">
      <span class={`chip ${tone}`}>
        <span aria-hidden="true">{sign}</span> {state}
      </span>
      <span class="name">{name}</span>
      <span class="by">{by}</span>
      <Text of={detail} class="dim detail" />
      {mend !== undefined && <Copy text={mend} label={`the next step for ${name}`} />}
    </li>
  )
}
