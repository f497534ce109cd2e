import { useComputed } from '@preact/signals'
import { api, type ReplyTo } from '../api.ts'
import { ComparedAnswers } from '../compare/answers.tsx'
import { ComparisonSummary, SettingDifferences } from '../compare/differences.tsx'
import { Heads } from '../compare/heads.tsx'
import { ComparedLanes } from '../compare/lanes.tsx'
import { ComparedSteps } from '../compare/steps.tsx'
import { useLoad } from '../load.ts'
import { Empty, ProblemNotice } from '../parts/problem.tsx'
import { currentRoute } from '../router.ts'

export default function Compare() {
  const ids = useComputed(() => ['a', 'b'].map(side => currentRoute.value.query.get(side) ?? ''))
  const { loaded, again } = useLoad(async signal => {
    const [a = '', b = ''] = ids.value
    if (a === '' || b === '') return undefined
    const run = (run: string) => api('GET /runs/:run', { params: { run }, signal })
    const [comparison, ofA, ofB] = await Promise.all([api('GET /compare', { query: { a, b }, signal }), run(a), run(b)])
    return { comparison, ofA, ofB }
  })
  const { state, value, error } = loaded.value
  return (
    <div class="compare">
      <h1>Compare</h1>
      {state === 'loading' && <p class="loading">Loading…</p>}
      {error && <ProblemNotice error={error} again={again} />}
      {state === 'ready' && (value ? <Compared {...value} /> : <NotChosen />)}
    </div>
  )
}

interface ComparedProps {
  comparison: ReplyTo<'GET /compare'>
  ofA: ReplyTo<'GET /runs/:run'>
  ofB: ReplyTo<'GET /runs/:run'>
}

function Compared({ comparison, ofA, ofB }: ComparedProps) {
  return (
    <>
      <Heads of={comparison} />
      <ComparisonSummary of={comparison} />
      <div class="sides">
        <ComparedSteps of={comparison} />
        <div class="outcome-side">
          <SettingDifferences of={comparison} />
          <ComparedAnswers of={comparison} />
          <ComparedLanes same={comparison.same.video} {...{ ofA, ofB }} />
        </div>
      </div>
    </>
  )
}

function NotChosen() {
  return (
    <Empty title="Two runs are compared">
      <p>
        Choose them in the list of <a href="/runs">runs</a>, or open one and use “Compare with…”.
      </p>
    </Empty>
  )
}
